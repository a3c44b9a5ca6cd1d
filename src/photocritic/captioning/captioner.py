"""What captioner models are made of: their interface, the layers that they share, and how one is built by its name."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from inspect import signature
from typing import Any, cast

import torch
from torch import Tensor, nn

from photocritic.captioning.vocabulary import PAD
from photocritic.core import plugins
from photocritic.core.errors import ParamsError

State = tuple[Tensor, ...]  # the first dimension of every tensor is the batch, so that a beam can be reordered
SCALE = 0.5  # standard deviation of a word's vector; smaller ones learn their words epochs later


@dataclass(frozen=True)
class ModelConfig:
    """Sizes of a captioner model.

    Attributes
    ----------
    features : int
        Numbers C in each region's vector.
    vocabulary : int
        Number V of words, special ones included.
    hidden, embedding : int
        Widths of the model's states and of a word's vector.
    dropout : float
        Share of units left out while training.
    regions : int
        Regions R of an image: 1 where pooled vectors are given, the cells of the grid otherwise.
    tied : bool
        Whether words are scored by the same vectors by which they are read.
    """

    features: int
    vocabulary: int
    hidden: int = 512
    embedding: int = 512
    dropout: float = 0.5
    regions: int = 1
    tied: bool = False


class Captioner(nn.Module, ABC):
    """A model that generates a caption from an image's regions, word by word."""

    @abstractmethod
    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Score every next word, teacher forced.

        Parameters
        ----------
        features : Tensor
            (B, R, C) float, each region's vector; R is 1 where images are pooled.
        tokens : Tensor
            (B, T) int64, beginning with `BOS`; padding only at the end.

        Returns
        -------
        Tensor
            (B, T, V) logits of the word that follows each token.
        """

    @abstractmethod
    def start(self, features: Tensor) -> State:
        """Compute the state before the first token for (B, R, C) features."""

    @abstractmethod
    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one token a row.

        Parameters
        ----------
        tokens : Tensor
            (B,) int64, the last word of each row (`BOS` at first).
        state : tuple of Tensor
            As `start` or the last `step` returned it, perhaps reordered.

        Returns
        -------
        tuple of Tensor and State
            (B, V) float32 log-probabilities of the next word, and the state after the token.
        """


def reorder(state: State, rows: Tensor) -> State:
    """Pick rows of a state; a row may be picked many times or never."""
    return tuple(part.index_select(0, rows) for part in state)


def projection(config: ModelConfig, width: int) -> nn.Sequential:
    """Make the layers that turn regions (B, R, C) into vectors (B, R, width).

    Backbones differ in scale by orders of magnitude, so that features are normalised first; dropout, one mask a
    caption, keeps them from being learned by heart.
    """
    return nn.Sequential(nn.LayerNorm(config.features), nn.Linear(config.features, width), nn.Dropout(config.dropout))


class Words(nn.Module):
    """Words' vectors in, words' scores out.

    Parameters
    ----------
    config : ModelConfig
        Sizes; where `tied`, words are scored by the vectors that they are read by.
    width : int
        Width of the states that words are scored from.

    References
    ----------
    Press & Wolf 2017, Using the Output Embedding to Improve Language Models, section 3 (tied weights).
    """

    def __init__(self, config: ModelConfig, width: int) -> None:
        super().__init__()
        self.vectors = nn.Embedding(config.vocabulary, config.embedding, padding_idx=PAD)
        with torch.no_grad():
            self.vectors.weight.normal_(0.0, SCALE)
            self.vectors.weight[PAD].zero_()
        fits = not config.tied or width == config.embedding
        self.bridge = nn.Identity() if fits else nn.Linear(width, config.embedding, bias=False)
        self.output = nn.Linear(config.embedding if config.tied else width, config.vocabulary)
        if config.tied:
            self.output.weight = self.vectors.weight
        self.dropout = nn.Dropout(config.dropout)

    def read(self, tokens: Tensor) -> Tensor:
        """Return the words' vectors, (..., embedding), for tokens (...)."""
        vectors: Tensor = self.dropout(self.vectors(tokens))
        return vectors

    def score(self, states: Tensor) -> Tensor:
        """Compute every word's logit, (..., V), for states (..., width)."""
        logits: Tensor = self.output(self.bridge(self.dropout(states)))
        return logits

    def log_probabilities(self, states: Tensor) -> Tensor:
        """Compute every word's log-probability, (..., V) float32, for states (..., width)."""
        return torch.log_softmax(self.score(states).float(), dim=-1)


def unroll(lstm: nn.LSTM, inputs: Tensor, state: State) -> tuple[Tensor, State]:
    """Run a one-layer LSTM over (B, T, ...) from (hidden, cell), each (B, width), to the outputs and the last state."""
    hidden, cell = state
    outputs, (hidden, cell) = lstm(inputs, (hidden.unsqueeze(0), cell.unsqueeze(0)))
    return outputs, (hidden[0], cell[0])


def lstm_cell(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """Take an LSTM's step.

    Parameters
    ----------
    gates : Tensor
        (B, 4 width), before their nonlinearities, in `nn.LSTM`'s order: input, forget, cell, output.
    cell : Tensor
        (B, width).

    Returns
    -------
    tuple of Tensor
        The new hidden state and the new cell, (B, width) each.
    """
    enter, forget, candidate, output = gates.chunk(4, dim=1)
    cell = torch.sigmoid(forget) * cell + torch.sigmoid(enter) * torch.tanh(candidate)
    return torch.sigmoid(output) * torch.tanh(cell), cell


def available() -> list[str]:
    """Return the names of the models that can be built."""
    return list(plugins.available("captioner"))


def build(name: str, config: ModelConfig, options: Mapping[str, Any] | None = None) -> Captioner:
    """Build an untrained captioner.

    Parameters
    ----------
    name : str
        The model's name, as in ``lstm_train.model``.
    config : ModelConfig
        The sizes that all models have.
    options : mapping of str to value, optional
        Options of this model alone, as in ``lstm_train.options``: the further arguments of its `build`.

    Returns
    -------
    Captioner
        With weights drawn from torch's global generator.

    Raises
    ------
    ParamsError
        There is no such model, it has no such option, or cannot be built of these sizes.
    """
    make = plugins.find("captioner", name, "lstm_train.model")
    known = sorted(set(signature(make).parameters) - {"config"})
    for option in options or {}:
        if option not in known:
            raise ParamsError(
                f"lstm_train.options: '{name}' has no option '{option}'; it has {', '.join(known) or 'none'}"
            )
    try:
        return cast("Captioner", make(config, **(options or {})))
    except (TypeError, ValueError) as error:
        raise ParamsError(f"lstm_train.options: '{name}' cannot be built: {' '.join(str(error).split())}") from None


def describe(name: str, config: ModelConfig, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `build` needs as JSON-ready values."""
    return {"model": name, "sizes": asdict(config), "options": dict(options)}
