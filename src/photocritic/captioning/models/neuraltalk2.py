"""NeuralTalk2's fully connected model: an LSTM that reads the image once, before the words (AIC section 5)."""

from dataclasses import replace

import torch
from torch import Tensor, nn

from photocritic.captioning.captioner import Captioner, ModelConfig, State, Words
from photocritic.captioning.vocabulary import PAD

GATES = 3  # input, forget and output
SCALE = 0.1  # words' vectors and scores begin uniform in [-SCALE, SCALE]


class NeuralTalk2(Captioner):
    """A one-layer LSTM whose first input, from an empty state, is the image, then `BOS` and the words.

    At step t the sums a = W x_t + b + R h_{t-1} + c make three gates and two candidates:

    i, f, o = sigmoid(a_1), sigmoid(a_2), sigmoid(a_3);
    c_t = f c_{t-1} + i max(a_4, a_5);
    h_t = dropout(o tanh(c_t)).

    There is no other dropout and no normalisation. The next step reads h_t as dropout has left it, not as it was
    before: so does the reference implementation, on which AIC builds. Of several regions the model sees the mean.

    Without the maxout it is Show and Tell, and NeuralTalk2 as it first was: the cell's input is i tanh(a_4), and the
    next step reads h_t as it was before dropout.

    Parameters
    ----------
    config : ModelConfig
        Sizes: features C, embedding E, hidden H, vocabulary V. NeuralTalk2 has E = H = 512 and a dropout of 0.5.
    maxout : bool
        Whether the larger of two candidates is the cell's input.

    Attributes
    ----------
    image : nn.Linear
        From features to the first input; weight (E, C), bias (E,).
    input_sums, hidden_sums : nn.Linear
        W and R: from an input and from the state to the sums, in the order input gate, forget gate, output gate, two
        candidates; weights (5 H, E) and (5 H, H), biases (5 H,). Without the maxout 4 H in the place of 5 H.
    words : Words
        `words.vectors.weight` (V, E); `words.output.weight` (V, H) and `words.output.bias` (V,).

    References
    ----------
    Luo 2017, An image captioning codebase in PyTorch, the model `fc` (AIC's reference 46, of whose models AIC names
    none); Rennie et al. 2017, Self-critical Sequence Training for Image Captioning, section 2 (the FC model). Without
    the maxout: Vinyals et al. 2015, Show and Tell, Eq. 4-12; Karpathy 2015, NeuralTalk2.
    """

    def __init__(self, config: ModelConfig, maxout: bool = True) -> None:
        super().__init__()
        self.maxout = maxout
        sums = (GATES + (2 if maxout else 1)) * config.hidden
        self.image = nn.Linear(config.features, config.embedding)
        self.input_sums = nn.Linear(config.embedding, sums)
        self.hidden_sums = nn.Linear(config.hidden, sums)
        self.words = Words(replace(config, dropout=0.0), config.hidden)
        self.dropout = nn.Dropout(config.dropout)
        self._initialise()

    @torch.no_grad()
    def _initialise(self) -> None:
        for weight in (self.words.vectors.weight, self.words.output.weight):
            weight.uniform_(-SCALE, SCALE)
        self.words.output.bias.zero_()
        self.words.vectors.weight[PAD].zero_()

    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Score every next word; see `Captioner.forward`."""
        hidden, cell = self.start(features)
        outputs = []
        for sums in self.input_sums(self.words.read(tokens)).unbind(dim=1):
            hidden, cell = self._advance(sums, hidden, cell)
            outputs.append(hidden)
        return self.words.score(self._emit(torch.stack(outputs, dim=1)))

    def start(self, features: Tensor) -> State:
        """Read the image from the empty state; see `Captioner.start`."""
        image = self.image(features.mean(dim=1))
        empty = image.new_zeros(len(image), self.hidden_sums.in_features)
        return self._advance(self.input_sums(image), empty, empty)

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one word a row; see `Captioner.step`."""
        hidden, cell = self._advance(self.input_sums(self.words.read(tokens)), *state)
        return self.words.log_probabilities(self._emit(hidden)), (hidden, cell)

    def _advance(self, input_sums: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        """Return the next state, (B, H) each, given an input's part of the sums, (B, 5 H)."""
        sums, gates = input_sums + self.hidden_sums(hidden), GATES * hidden.shape[1]
        enter, forget, output = torch.sigmoid(sums[:, :gates]).chunk(GATES, dim=1)
        candidates = sums[:, gates:]
        candidate = torch.maximum(*candidates.chunk(2, dim=1)) if self.maxout else torch.tanh(candidates)
        cell = forget * cell + enter * candidate
        hidden = output * torch.tanh(cell)
        return self.dropout(hidden) if self.maxout else hidden, cell

    def _emit(self, hidden: Tensor) -> Tensor:
        """Return what words are scored from, (..., H): the state, with dropout where it has none yet."""
        return hidden if self.maxout else self.dropout(hidden)


def build(config: ModelConfig, *, maxout: bool = True) -> NeuralTalk2:
    """Build the model."""
    return NeuralTalk2(config, maxout)
