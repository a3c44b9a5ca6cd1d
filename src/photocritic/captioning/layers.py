"""The layers of all captioners: the projection of regions, the embedding of words and their scores."""

import torch
from torch import Tensor, nn

from photocritic.captioning.captioner import ModelConfig, State
from photocritic.captioning.vocabulary import PAD

SCALE = 0.5  # standard deviation of a word's vector; smaller ones learn their words epochs later


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
