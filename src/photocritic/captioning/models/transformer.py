"""Transformer: an encoder over the image's regions and a decoder that attends to them (CC section 4.2)."""

from typing import cast

from torch import Tensor, nn

from photocritic.captioning.attention import DecoderLayer, EncoderLayer, Norm, sinusoids
from photocritic.captioning.captioner import Captioner, ModelConfig, State, Words, projection


class Transformer(Captioner):
    """An encoder and a decoder of as many layers, as wide as `hidden`.

    The state is the keys and values that each layer of the decoder remembers of the image, (B, R, 2 hidden), and then
    those of the words so far, (B, t, 2 hidden), so that a step reads one word and none twice.

    Parameters
    ----------
    config : ModelConfig
        Sizes; `dropout` is that of words and regions.
    layers, heads, feed_forward : int
        Layers of the encoder and of the decoder, heads of each attention, width inside a layer's network.
    sublayer_dropout : float
        Share of each attention's and each network's outcome that is left out in training.
    norm : "pre" or "post"
        Whether layers normalise what their parts read, or the sums after them; see `Residual`. Where it is "pre", the
        outcomes of the encoder and of the decoder are normalised once more.
    ordered : bool
        Whether the encoder reads the order of the regions.
    normalised : bool
        Whether the encoder's attention normalises its queries; see `Attention`.

    Raises
    ------
    ValueError
        `hidden` is not a multiple of twice the heads, there is no layer, or `norm` is neither.

    References
    ----------
    Sharma et al. 2018, Conceptual Captions, section 4.2; Vaswani et al. 2017, Attention Is All You Need.
    """

    def __init__(
        self,
        config: ModelConfig,
        *,
        layers: int,
        heads: int,
        feed_forward: int,
        sublayer_dropout: float,
        norm: Norm,
        ordered: bool,
        normalised: bool,
    ) -> None:
        super().__init__()
        width = config.hidden
        if layers < 1 or heads < 1 or width % (2 * heads):
            raise ValueError(
                f"layers {layers} and heads {heads}: one at least, and hidden {width} a multiple of 2 heads"
            )
        self.ordered = ordered
        self.regions = projection(config, width)
        self.encoder = nn.Sequential(
            *(
                EncoderLayer(width, heads, feed_forward, sublayer_dropout, norm, normalised=normalised)
                for _ in range(layers)
            ),
            _final_norm(width, norm),
        )
        self.words = Words(config, width)
        self.widen = nn.Identity() if config.embedding == width else nn.Linear(config.embedding, width)
        self.decoder = nn.ModuleList(
            DecoderLayer(width, heads, feed_forward, sublayer_dropout, norm) for _ in range(layers)
        )
        self.norm = _final_norm(width, norm)

    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Score every next word; see `Captioner.forward`."""
        states, _ = self._decode(tokens, self.start(features))
        return self.words.score(states)

    def start(self, features: Tensor) -> State:
        """Encode the regions, and remember no word; see `Captioner.start`."""
        regions = self.regions(features)
        if self.ordered:
            regions = regions + sinusoids(0, regions.shape[1], regions)
        encoded = self.encoder(regions)
        images = [layer.image.remember(encoded) for layer in self._layers()]
        return *images, *(image[:, :0] for image in images)

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one word a row; see `Captioner.step`."""
        states, state = self._decode(tokens.unsqueeze(1), state)
        return self.words.log_probabilities(states[:, 0]), state

    def _decode(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) words after those remembered; give (B, T, width), and the state with them remembered too."""
        images, pasts = state[: len(self.decoder)], state[len(self.decoder) :]
        before = pasts[0].shape[1]
        words = self.widen(self.words.read(tokens))
        words = words + sinusoids(before, before + tokens.shape[1], words)
        remembered = []
        for layer, image, past in zip(self._layers(), images, pasts, strict=True):
            words, now = layer(words, image, past)
            remembered.append(now)
        return self.norm(words), (*images, *remembered)

    def _layers(self) -> list[DecoderLayer]:
        return cast("list[DecoderLayer]", list(self.decoder))


def _final_norm(width: int, norm: Norm) -> nn.Module:
    return nn.LayerNorm(width) if norm == "pre" else nn.Identity()


def build(
    config: ModelConfig,
    *,
    layers: int = 6,
    heads: int = 8,
    feed_forward: int | None = None,
    sublayer_dropout: float = 0.1,
    norm: Norm = "pre",
) -> Transformer:
    """Build the model; `feed_forward` is four times `hidden` by default, as in Vaswani et al. 2017, section 3.3."""
    return Transformer(
        config,
        layers=layers,
        heads=heads,
        feed_forward=feed_forward or 4 * config.hidden,
        sublayer_dropout=sublayer_dropout,
        norm=norm,
        ordered=True,
        normalised=False,
    )
