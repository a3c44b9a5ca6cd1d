"""SAN: a Transformer that sees the regions of an image as a set (ERG section 4.2)."""

from photocritic.captioning.attention import Norm
from photocritic.captioning.captioner import ModelConfig
from photocritic.captioning.models.transformer import Transformer


def build(
    config: ModelConfig,
    *,
    layers: int = 6,
    heads: int = 8,
    feed_forward: int | None = None,
    sublayer_dropout: float = 0.1,
    norm: Norm = "pre",
    normalised: bool = False,
) -> Transformer:
    """Build a self-attention network: regions have no order, for detected objects have none.

    Parameters
    ----------
    config : ModelConfig
        Sizes.
    layers, heads, feed_forward, sublayer_dropout, norm
        As in `transformer`.
    normalised : bool
        Whether the encoder normalises its queries over the regions: the normalised self-attention of Guo et al.,
        against the plain one that they and ERG call SAN. It changes nothing where there is one region.

    References
    ----------
    Guo et al. 2020, Normalized and Geometry-Aware Self-Attention Network for Image Captioning. Its geometry-aware
    attention needs the regions' boxes and is not here.
    """
    return Transformer(
        config,
        layers=layers,
        heads=heads,
        feed_forward=feed_forward or 4 * config.hidden,
        sublayer_dropout=sublayer_dropout,
        norm=norm,
        ordered=False,
        normalised=normalised,
    )
