"""Bottom-up and top-down attention: one LSTM attends to regions, another generates words (ERG section 4.2)."""

import torch
from torch import Tensor, nn

from photocritic.captioning.captioner import Captioner, ModelConfig, State, Words, lstm_cell, projection


class UpDown(Captioner):
    """Two LSTMs with soft attention over the regions between them.

    By default the second LSTM reads the word as well, where the paper's knows it from the first LSTM alone: words are
    then learned within the few epochs that small corpora allow.

    Whatever does not depend on the words generated so far is computed once an image (the regions' keys, the mean
    region's part of the first LSTM's gates) or once a sentence (the words' part of the gates). The state is both LSTMs'
    states and what was computed once an image.

    Parameters
    ----------
    config : ModelConfig
        Sizes; the paper's LSTMs have 1000 units.
    attention : int
        Width of the attention's hidden layer.
    language_word : bool
        Whether the second LSTM, the language LSTM, reads the word; without it both LSTMs are the paper's.

    References
    ----------
    Anderson et al. 2018, Bottom-Up and Top-Down Attention for Image Captioning and Visual Question Answering,
    section 3.2, Eq. 2-7.
    """

    def __init__(self, config: ModelConfig, attention: int, language_word: bool = True) -> None:
        super().__init__()
        if attention < 1:
            raise ValueError(f"attention {attention}: the hidden layer needs a unit at least")
        width = config.hidden
        self.regions = projection(config, width)
        self.words = Words(config, width)
        readers = 2 if language_word else 1
        self.word_gates = nn.Linear(config.embedding, 4 * readers * width)  # the first LSTM's, then the second's
        self.image_gates = nn.Linear(width, 4 * width, bias=False)
        self.look_gates = nn.Linear(2 * width, 4 * width, bias=False)
        self.key = nn.Linear(width, attention)
        self.query = nn.Linear(width, attention, bias=False)
        self.weight = nn.Linear(attention, 1, bias=False)
        self.say_gates = nn.Linear(3 * width, 4 * width, bias=not language_word)
        self.language_word = language_word
        self._initialise(width)

    @torch.no_grad()
    def _initialise(self, width: int) -> None:
        """Initialise each gate to the scale of its inputs, and to forget little: the path through two LSTMs is long."""
        for layer in (self.word_gates, self.image_gates, self.look_gates, self.say_gates):
            for gate in layer.weight.chunk(layer.out_features // width):
                nn.init.xavier_uniform_(gate)
        for layer in (self.word_gates, self.say_gates):
            if layer.bias is not None:
                layer.bias.zero_()
                for forget in layer.bias.chunk(layer.out_features // width)[1::4]:
                    forget.fill_(1.0)

    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Score every next word; see `Captioner.forward`."""
        state, outputs = self.start(features), []
        for gates in self.word_gates(self.words.read(tokens)).unbind(dim=1):
            state = self._advance(gates, state)
            outputs.append(state[2])
        return self.words.score(torch.stack(outputs, dim=1))

    def start(self, features: Tensor) -> State:
        """Read the regions, with both LSTMs' states empty; see `Captioner.start`."""
        regions = self.regions(features)
        mean = regions.mean(dim=1)
        empty = torch.zeros_like(mean)
        return empty, empty, empty, empty, regions, self.key(regions), self.image_gates(mean)

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one word a row; see `Captioner.step`."""
        state = self._advance(self.word_gates(self.words.read(tokens)), state)
        return self.words.log_probabilities(state[2]), state

    def _advance(self, word_gates: Tensor, state: State) -> State:
        """Advance the attention LSTM (Eq. 2), attend (Eq. 3-5) and advance the language LSTM (Eq. 6)."""
        attention, attention_cell, language, language_cell, regions, keys, image_gates = state
        attention_word, *language_word = word_gates.chunk(word_gates.shape[1] // image_gates.shape[1], dim=1)
        gates = attention_word + image_gates + self.look_gates(torch.cat([language, attention], dim=1))
        attention, attention_cell = lstm_cell(gates, attention_cell)
        attended = self._attend(attention, regions, keys)
        gates = self.say_gates(torch.cat([attended, attention, language], dim=1))
        if self.language_word:
            gates = gates + language_word[0]
        language, language_cell = lstm_cell(gates, language_cell)
        return attention, attention_cell, language, language_cell, regions, keys, image_gates

    def _attend(self, query: Tensor, regions: Tensor, keys: Tensor) -> Tensor:
        scores = self.weight(torch.tanh(keys + self.query(query).unsqueeze(1)))
        weights = torch.softmax(scores, dim=1).transpose(1, 2)
        return torch.bmm(weights, regions).squeeze(1)


def build(config: ModelConfig, *, attention: int | None = None, language_word: bool = True) -> UpDown:
    """Build the model; the attention is as wide as `hidden` by default (paper: 512)."""
    return UpDown(config, config.hidden if attention is None else attention, language_word)
