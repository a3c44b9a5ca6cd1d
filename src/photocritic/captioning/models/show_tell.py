"""Show and Tell: an LSTM that says words about an image's features (NIC, NeuralTalk2's FC model; AIC section 5)."""

import torch
from torch import Tensor, nn

from photocritic.captioning.models.base import Captioner, ModelConfig, State
from photocritic.captioning.vocabulary import PAD

WORD_SCALE = 0.5  # standard deviation of a word's vector; smaller ones learn their words epochs later


class ShowTell(Captioner):
    """A one-layer LSTM that begins from the image and sees it again beside every word.

    NIC lets the LSTM read the image once, as its first input from an empty state. Making that first state from the
    image directly, and adding the image to every word, keeps more of it: within the few epochs that small corpora
    allow, captions tell far more of the photograph. Dropout on the image, one mask a caption, keeps features from being
    learned by heart.

    Parameters
    ----------
    config : ModelConfig
        Sizes.

    References
    ----------
    Vinyals et al. 2015, Show and Tell, Eq. 10-12: x_{-1} = CNN(I), x_t = W_e S_t, p_{t+1} = LSTM(x_t).
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.image = nn.Sequential(
            nn.LayerNorm(config.features),  # backbones differ in scale by orders of magnitude
            nn.Linear(config.features, config.embedding),
            nn.Dropout(config.dropout),
        )
        self.hidden = nn.Linear(config.embedding, config.hidden)
        self.cell = nn.Linear(config.embedding, config.hidden)
        self.words = nn.Embedding(config.vocabulary, config.embedding, padding_idx=PAD)
        self.lstm = nn.LSTM(config.embedding, config.hidden, batch_first=True)
        self.output = nn.Linear(config.hidden, config.vocabulary)
        self.dropout = nn.Dropout(config.dropout)
        with torch.no_grad():
            self.words.weight.normal_(0.0, WORD_SCALE)
            self.words.weight[PAD].zero_()

    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Score every next word; see `Captioner.forward`."""
        hidden, cell, image = self.start(features)
        words = self.dropout(self.words(tokens)) + image.unsqueeze(1)
        outputs, _ = self.lstm(words, (hidden.unsqueeze(0), cell.unsqueeze(0)))
        logits: Tensor = self.output(self.dropout(outputs))
        return logits

    def start(self, features: Tensor) -> State:
        """Make the first state from the image; see `Captioner.start`."""
        image = self.image(features)
        return torch.tanh(self.hidden(image)), self.cell(image), image

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one word a row; see `Captioner.step`."""
        hidden, cell, image = state
        word = (self.words(tokens) + image).unsqueeze(1)
        outputs, (hidden, cell) = self.lstm(word, (hidden.unsqueeze(0), cell.unsqueeze(0)))
        scores = torch.log_softmax(self.output(outputs[:, 0]).float(), dim=-1)
        return scores, (hidden[0], cell[0], image)


def build(config: ModelConfig) -> ShowTell:
    """Build the model."""
    return ShowTell(config)
