"""StyleNet: an LSTM whose input matrices are factored, so that one small factor alone makes a style."""

from collections.abc import Sequence
from copy import copy

import torch
from torch import Tensor, nn

from photocritic.captioning.captioner import Captioner, ModelConfig, State, Words, projection
from photocritic.core.errors import ParamsError

FACTUAL = "factual"
GATES = 4  # of an LSTM


class StyleNet(Captioner):
    """A one-layer LSTM that begins from the image and reads words through U S V, where S is the style's own.

    All styles share U, V, the recurrent matrix, the words and the image's projection. What it learns of images from
    factual captions, and of a style from text without images, meets in one sentence. As in `show_tell` the image
    stands beside every word, so that the first words of a style do not make it forget the image. A product of three
    matrices moves faster than one: it learns with about a third of the learning rate of `show_tell`.

    Parameters
    ----------
    config : ModelConfig
        Sizes.
    styles : sequence of str
        Styles besides the factual one.
    factor : int
        Width of S.

    References
    ----------
    Gan et al. 2017, StyleNet: Generating Attractive Visual Captions with Styles (the factored LSTM, W_x = U_x S_x V_x).
    """

    def __init__(self, config: ModelConfig, styles: Sequence[str], factor: int) -> None:
        super().__init__()
        self.image = projection(config, config.embedding)
        self.hidden = nn.Linear(config.embedding, config.hidden)
        self.cell = nn.Linear(config.embedding, config.hidden)
        self.words = Words(config, config.hidden)
        self.inner = nn.Parameter(torch.empty(GATES, factor, config.embedding))
        self.outer = nn.Parameter(torch.empty(GATES, config.hidden, factor))
        self.recurrent = nn.Parameter(torch.empty(GATES * config.hidden, config.hidden))
        self.bias = nn.Parameter(torch.zeros(GATES * config.hidden))
        self.styles = nn.ParameterDict({name: torch.eye(factor).repeat(GATES, 1, 1) for name in (FACTUAL, *styles)})
        self._begin(config.hidden)
        self.style = FACTUAL

    def in_style(self, style: str) -> "StyleNet":
        """Return the model with the same weights whose captions are in a style; this one stays as it is.

        Raises
        ------
        ParamsError
            It did not learn the style.
        """
        if style not in self.styles:
            raise ParamsError(f"style: the captioner did not learn '{style}'; it knows {', '.join(self.styles)}")
        model = copy(self)
        model.style = style
        return model

    def forward(self, features: Tensor, tokens: Tensor, text_of: str | None = None) -> Tensor:
        """Score every next word in the chosen style; see `Captioner.forward`.

        Parameters
        ----------
        features, tokens
            As in `Captioner.forward`.
        text_of : str, optional
            A style whose text this is. Scores are in that style, and gradients reach its factor and the words alone:
            text that comes without images would teach what is shared to disregard them.
        """
        state = self.start(features)
        if text_of is None:
            outputs, _ = self._read(tokens, state, self.style)
        else:
            outputs, _ = self._read(tokens, tuple(part.detach() for part in state), text_of, learn_shared=False)
        return self.words.score(outputs)

    def start(self, features: Tensor) -> State:
        """Make the first state from the image's mean region; see `Captioner.start`."""
        image = self.image(features.mean(dim=1))
        return torch.tanh(self.hidden(image)), self.cell(image), image

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one word a row; see `Captioner.step`."""
        outputs, state = self._read(tokens.unsqueeze(1), state, self.style)
        return self.words.log_probabilities(outputs[:, 0]), state

    def _read(self, tokens: Tensor, state: State, style: str, learn_shared: bool = True) -> tuple[Tensor, State]:
        hidden, cell, image = state
        shared = self.outer, self.inner, self.recurrent, self.bias
        outer, inner, recurrent, bias = shared if learn_shared else (part.detach() for part in shared)
        inputs = torch.flatten(outer @ self.styles[style] @ inner, 0, 1)  # cheaper than to read every word three times
        weights = [inputs, recurrent, bias, torch.zeros_like(bias)]
        words = self.words.read(tokens) + image.unsqueeze(1)
        outputs, hidden, cell = torch.lstm(
            words, [hidden.unsqueeze(0), cell.unsqueeze(0)], weights, True, 1, 0.0, self.training, False, True
        )
        return outputs, (hidden[0], cell[0], image)

    @torch.no_grad()
    def _begin(self, hidden: int) -> None:
        """Begin as a plain LSTM does: U turns, S does nothing, V and the recurrent matrix are small."""
        for outer in self.outer:
            nn.init.orthogonal_(outer)
        for weight in (self.inner, self.recurrent):
            weight.uniform_(-(hidden**-0.5), hidden**-0.5)


def build(config: ModelConfig, styles: Sequence[str] = (), factor: int = 512) -> StyleNet:
    """Build the model; Gan et al. take a factor of 512."""
    return StyleNet(config, styles, factor)
