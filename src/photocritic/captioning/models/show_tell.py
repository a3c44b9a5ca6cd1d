"""After Show and Tell: an LSTM that begins from the image and sees it again beside every word."""

import torch
from torch import Tensor, nn

from photocritic.captioning.captioner import Captioner, ModelConfig, State, Words, projection, unroll


class ShowTell(Captioner):
    """A one-layer LSTM that begins from the image and sees it again beside every word.

    Show and Tell lets the LSTM read the image once, as its first input from an empty state. Making that first state
    from the image directly, and adding the image to every word, keeps more of it: within the few epochs that small
    corpora allow, captions describe far more of the photograph. Of several regions it sees the mean.

    NeuralTalk2's FC model, on which AIC builds, is `neuraltalk2`. Beside the image's place, this model differs from it
    in an LSTM with one candidate through tanh in the place of a maxout of two, layer normalisation of the image's
    features, and dropout on the image and on the words' vectors too.

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
        self.image = projection(config, config.embedding)
        self.hidden = nn.Linear(config.embedding, config.hidden)
        self.cell = nn.Linear(config.embedding, config.hidden)
        self.lstm = nn.LSTM(config.embedding, config.hidden, batch_first=True)
        self.words = Words(config, config.hidden)

    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Score every next word; see `Captioner.forward`."""
        hidden, cell, image = self.start(features)
        words = self.words.read(tokens) + image.unsqueeze(1)
        outputs, _ = unroll(self.lstm, words, (hidden, cell))
        return self.words.score(outputs)

    def start(self, features: Tensor) -> State:
        """Make the first state from the image; see `Captioner.start`."""
        image = self.image(features.mean(dim=1))
        return torch.tanh(self.hidden(image)), self.cell(image), image

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one word a row; see `Captioner.step`."""
        hidden, cell, image = state
        word = (self.words.read(tokens) + image).unsqueeze(1)
        outputs, (hidden, cell) = unroll(self.lstm, word, (hidden, cell))
        return self.words.log_probabilities(outputs[:, 0]), (hidden, cell, image)


def build(config: ModelConfig) -> ShowTell:
    """Build the model."""
    return ShowTell(config)
