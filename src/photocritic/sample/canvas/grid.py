"""The supersampled square that everything is painted on, and arithmetic on its fields."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

SIZE = 160  # pixels of the finished photograph
SCALE = 2  # painted this many times larger, then averaged: edges come out smooth
SIDE = SIZE * SCALE

Field = NDArray[np.floating[Any]]
Color = tuple[float, float, float]

_steps = ((np.arange(SIDE) + 0.5) / SIDE).astype(np.float32)
X: Field = np.ascontiguousarray(np.broadcast_to(_steps[None, :], (SIDE, SIDE)))  # 0 at the left, 1 at the right
Y: Field = np.ascontiguousarray(np.broadcast_to(_steps[:, None], (SIDE, SIDE)))  # 0 at the top, 1 at the bottom


def hue(code: str) -> Color:
    """Turn `rrggbb` into red, green and blue in 0..1."""
    return int(code[0:2], 16) / 255, int(code[2:4], 16) / 255, int(code[4:6], 16) / 255


def rgb(color: ArrayLike) -> Field:
    """Turn a color, or a factor for each channel, into an array."""
    return np.asarray(color, dtype=np.float32)


def flat(color: ArrayLike) -> Field:
    """Paint the whole square in one color: (SIDE, SIDE, 3)."""
    return np.broadcast_to(np.asarray(color, dtype=np.float32), (SIDE, SIDE, 3)).copy()


def step(low: float, high: float, values: Field) -> Field:
    """Rise smoothly from 0 at `low` to 1 at `high`; falls where `low` is above `high`."""
    t = np.clip((values - np.float32(low)) / np.float32(high - low), 0, 1)
    risen: Field = t * t * (3 - 2 * t)
    return risen


def mix(first: ArrayLike, second: ArrayLike, share: Field | float) -> Field:
    """Blend two colors or pictures; `share` of the second, one number or one per pixel."""
    a, b = np.asarray(first, dtype=np.float32), np.asarray(second, dtype=np.float32)
    weight = np.asarray(share, dtype=np.float32)
    if weight.ndim == 2:  # spelled out to three channels: much faster than broadcasting along the last axis
        weight = np.repeat(weight, 3).reshape(*weight.shape, 3)
    blend: Field = weight * (b - a)
    blend += a
    return blend


def ramp(values: Field, stops: list[tuple[float, Color]]) -> Field:
    """Look `values` up in a gradient of colors given at increasing stops: (..., 3)."""
    places = [place for place, _ in stops]
    channels = [np.interp(values, places, [color[c] for _, color in stops]) for c in range(3)]
    return np.stack(channels, axis=-1).astype(np.float32)


def tint(color: Color, factor: float) -> Color:
    """Make a color brighter or darker, within 0..1."""
    red, green, blue = (min(max(channel * factor, 0.0), 1.0) for channel in color)
    return red, green, blue


def between(first: Color, second: Color, share: float) -> Color:
    """Blend two colors."""
    red, green, blue = (a + (b - a) * share for a, b in zip(first, second, strict=True))
    return red, green, blue
