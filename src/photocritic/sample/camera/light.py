"""The light that a scene is painted in, and the exposure it is taken with."""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from photocritic.sample.canvas.grid import Color, Field, X, Y, between, hue, mix, rgb, step
from photocritic.sample.canvas.layering import blur
from photocritic.sample.canvas.relief import Vector


class Light(NamedTuple):
    """The light of a scene.

    Attributes
    ----------
    zenith, middle, horizon : Color
        The sky from top to bottom.
    sun : Color
        Color of direct light.
    shade : Color
        Color of what direct light does not reach.
    haze : Color
        What distance fades into.
    x, y : float
        Where the sun stands in the picture (it may be outside).
    strength : float
        How much brighter direct light is than shade, 0..1.
    """

    zenith: Color
    middle: Color
    horizon: Color
    sun: Color
    shade: Color
    haze: Color
    x: float
    y: float
    strength: float

    @property
    def direction(self) -> Vector:
        """Where light comes from, for shading: x right, y down, z to the viewer."""
        return 1.6 * (self.x - 0.5), -0.35 - 0.9 * max(0.45 - self.y, 0.0), 0.55


_SKIES = {
    "golden_hour": (
        ("4b5f94", "e89a6a", "ffd08a", "ffb45e", "4a3a52", "f3b183"),
        ("6a5a94", "ef8f74", "ffc577", "ff9f55", "503a58", "f0a585"),
        ("5d7fa8", "f2b07a", "ffdf9f", "ffbf6a", "5a4a50", "f6c596"),
    ),
    "normal": (
        ("2f6db5", "79aede", "d3e6f2", "fff4e0", "4a6078", "b4cfe2"),
        ("3a80c8", "8fc0e6", "e2eef2", "fff6e6", "506678", "c2d8e4"),
        ("2a5c9c", "6c9fcc", "c6dbe8", "fff0d8", "465a70", "a9c3d6"),
    ),
    "overexposed": (("6fa2d0", "a4c8e2", "e4ecf0", "fffaf0", "70849a", "c4d4de"),),
    "low_key": (
        ("141c2c", "34404f", "78828c", "dcd6c8", "1a202a", "4c5864"),
        ("161628", "3c3648", "8a7478", "e8c8a8", "1c1824", "544a60"),
    ),
    "soft": (
        ("aab4bb", "bfc7cb", "d2d6d6", "e0e0dc", "7c868c", "c6ccce"),
        ("b4b8ba", "c4c6c6", "d8d8d4", "e4e2de", "868a8c", "cccecc"),
    ),
}
_STRENGTH = {"golden_hour": 1.0, "normal": 0.85, "overexposed": 0.9, "low_key": 0.75, "soft": 0.3}


def light(name: str, rng: Generator) -> Light:
    """Choose a sky and a sun for the attribute `light:<name>`."""
    skies = _SKIES[name]
    first, second = (skies[int(rng.integers(len(skies)))] for _ in range(2))
    share = float(rng.random())
    colors = [between(hue(a), hue(b), share) for a, b in zip(first, second, strict=True)]
    x = float(rng.uniform(0.1, 0.38) if rng.random() < 0.5 else rng.uniform(0.62, 0.9))
    y = float(rng.uniform(0.26, 0.42) if name == "golden_hour" else rng.uniform(-0.25, 0.12))
    zenith, middle, horizon, sun, shade, haze = colors
    return Light(zenith, middle, horizon, sun, shade, haze, x, y, _STRENGTH[name])


def expose(picture: Field, name: str, rng: Generator) -> Field:
    """Apply the exposure that belongs to `light:<name>`."""
    if name == "overexposed":
        gain = np.clip(rng.uniform(0.74, 0.84) / max(float(picture.mean()), 0.1), 1.2, 2.1)  # dark scenes need more
        bright = picture * np.float32(gain) + np.float32(0.08)
        bloom = blur(np.clip(bright - 0.85, 0, 1), 14)
        return bright + bloom * np.float32(0.6)
    if name == "low_key":
        spot = np.hypot(X - np.float32(rng.uniform(0.4, 0.6)), Y - np.float32(rng.uniform(0.4, 0.6)))
        falloff = step(0.85, 0.1, spot)[..., None] * np.float32(0.55) + np.float32(0.45)
        return np.clip(picture, 0, 1) ** np.float32(1.15) * falloff * np.float32(1.12)
    if name == "soft":
        return np.clip(picture, 0, 1) * np.float32(0.64) + np.float32(0.21)
    if name == "golden_hour":
        level = picture.mean(axis=2)
        graded = mix(picture * rgb([0.95, 0.90, 1.02]), picture * rgb([1.06, 1.0, 0.90]), step(0.15, 0.7, level))
        return _contrast(graded, 0.25)
    return _contrast(picture, 0.35)


def _contrast(picture: Field, amount: float) -> Field:
    values = np.clip(picture, 0, 1)
    curved = values * values * (3 - 2 * values)
    return values + (curved - values) * np.float32(amount)
