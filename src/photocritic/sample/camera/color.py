"""Color: white balance, saturation and the conversion to grey."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.canvas.grid import Color, Field, rgb

_LUMA = (0.299, 0.587, 0.114)
_RED_FILTER = (0.5, 0.4, 0.1)  # darkens blue skies, as on film


def develop(picture: Field, name: str, rng: Generator) -> Field:
    """Develop the picture as `color:<name>` says: (SIDE, SIDE, 3) in, the same out."""
    values = np.clip(picture, 0, 1)
    grey = _weighed(values, _LUMA)[..., None]
    if name == "black_and_white":
        filtered = _weighed(values, _RED_FILTER)
        toned = filtered * filtered * (3 - 2 * filtered) * np.float32(0.5) + filtered * np.float32(0.5)
        return np.repeat(toned[..., None], 3, axis=2)
    if name == "warm_cast":
        return (grey + (values - grey) * np.float32(0.75)) * rgb([1.16, 0.98, 0.62 + rng.uniform(0, 0.08)])
    if name == "cool_cast":
        return (grey + (values - grey) * np.float32(0.75)) * rgb([0.66 + rng.uniform(0, 0.08), 0.95, 1.22])
    if name == "saturated":
        return grey + (values - grey) * np.float32(rng.uniform(1.9, 2.3))
    return values


def _weighed(values: Field, weights: Color) -> Field:
    """Sum the channels by weight; a matrix product would differ in its last bits from one processor to the next."""
    red, green, blue = weights
    grey: Field = (
        values[..., 0] * np.float32(red) + values[..., 1] * np.float32(green) + values[..., 2] * np.float32(blue)
    )
    return grey
