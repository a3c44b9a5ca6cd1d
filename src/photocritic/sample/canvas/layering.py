"""Pictures that lie one in front of another, each with a distance from the plane of focus."""

from typing import NamedTuple

import numpy as np
from PIL import Image, ImageFilter

from photocritic.sample.canvas.grid import SIDE, Field, mix


class Layer(NamedTuple):
    """A picture with its coverage.

    Attributes
    ----------
    picture : ndarray, (SIDE, SIDE, 3)
        Colors in 0..1.
    cover : ndarray, (SIDE, SIDE), or None
        How much each pixel hides what lies behind; None hides everything.
    away : float or ndarray, (SIDE, SIDE)
        Distance from the subject in 0..1: with a shallow depth of field, what is away is blurred.
    """

    picture: Field
    cover: Field | None = None
    away: float | Field = 0.0


def over(back: Field, picture: Field, cover: Field) -> Field:
    """Lay a picture over another."""
    return mix(back, picture, cover)


def covering(layer: Layer) -> Field:
    """Return a layer's coverage, which is 1 everywhere where it hides everything."""
    return np.ones((SIDE, SIDE), np.float32) if layer.cover is None else layer.cover


def lay(back: Field, layer: Layer) -> Field:
    """Lay a layer over a picture, in focus."""
    return layer.picture if layer.cover is None else over(back, layer.picture, layer.cover)


def flatten(layers: list[Layer]) -> Field:
    """Lay layers over each other, first at the back, everything in focus."""
    result = layers[0].picture
    for layer in layers[1:]:
        result = lay(result, layer)
    return result


def blur(field: Field, radius: float) -> Field:
    """Blur a picture (SIDE, SIDE, 3) or a mask (SIDE, SIDE) with values in 0..1; `radius` is in painted pixels."""
    if radius < 0.3:
        return field
    image = Image.fromarray((np.clip(field, 0, 1) * 255 + 0.5).astype(np.uint8))
    return np.asarray(image.filter(ImageFilter.GaussianBlur(radius)), dtype=np.float32) / 255


def smooth(field: Field, factor: int = 8) -> Field:
    """Blur a mask of any range cheaply and widely, by going through a small copy of it."""
    small = Image.fromarray(field, mode="F").reduce(factor)
    return np.asarray(small.resize((SIDE, SIDE), Image.Resampling.BICUBIC), dtype=np.float32)
