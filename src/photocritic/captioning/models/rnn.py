"""RNN captioner: one LSTM reads the image's regions, another generates the words (CC section 4.1)."""

from torch import Tensor, nn

from photocritic.captioning.captioner import Captioner, ModelConfig, State, Words, projection, unroll


class Rnn(Captioner):
    """An encoder LSTM over the regions, whose last state begins a decoder LSTM over the words.

    Of a pooled image the encoder reads one vector (the paper's 1x1), of a grid its cells row by row (8x8). The decoder
    sees the image through its first state alone.

    Parameters
    ----------
    config : ModelConfig
        Sizes; the paper's LSTMs have 512 units.

    References
    ----------
    Sharma et al. 2018, Conceptual Captions, section 4.1: H = h_L of h_l = RNN_enc(x_l, h_{l-1}), and
    z_t = RNN_dec(y_t, z_{t-1}) from z_0 = H.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.regions = projection(config, config.embedding)
        self.encoder = nn.LSTM(config.embedding, config.hidden, batch_first=True)
        self.decoder = nn.LSTM(config.embedding, config.hidden, batch_first=True)
        self.words = Words(config, config.hidden)

    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Score every next word; see `Captioner.forward`."""
        outputs, _ = unroll(self.decoder, self.words.read(tokens), self.start(features))
        return self.words.score(outputs)

    def start(self, features: Tensor) -> State:
        """Read the regions in their order; see `Captioner.start`."""
        _, (hidden, cell) = self.encoder(self.regions(features))
        return hidden[0], cell[0]

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one word a row; see `Captioner.step`."""
        outputs, state = unroll(self.decoder, self.words.read(tokens).unsqueeze(1), state)
        return self.words.log_probabilities(outputs[:, 0]), state


def build(config: ModelConfig) -> Rnn:
    """Build the model."""
    return Rnn(config)
