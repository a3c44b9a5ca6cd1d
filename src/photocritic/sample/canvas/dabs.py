"""Small marks painted in place, touching only the pixels around them."""

import numpy as np

from photocritic.sample.canvas.grid import SIDE, Color, Field, X, Y, rgb, step

Window = tuple[slice, slice]


def window(x: float, y: float, reach: float) -> Window:
    """Return the part of the square within `reach` of a point; it may be empty."""
    rows = slice(max(int((y - reach) * SIDE), 0), max(min(int((y + reach) * SIDE) + 2, SIDE), 0))
    columns = slice(max(int((x - reach) * SIDE), 0), max(min(int((x + reach) * SIDE) + 2, SIDE), 0))
    return rows, columns


def dab(picture: Field, color: Color, x: float, y: float, *, radius: float, soft: float, strength: float = 1.0) -> None:
    """Paint a disc with a soft edge."""
    part = window(x, y, radius + soft)
    cover = step(radius + soft, radius - soft, np.hypot(X[part] - np.float32(x), Y[part] - np.float32(y)))
    _lay(picture, part, rgb(color), cover * np.float32(strength))


def leaf(picture: Field, color: Color, x: float, y: float, *, length: float, turn: float) -> None:
    """Paint a pointed leaf with a midrib, one half lighter than the other."""
    part = window(x, y, length)
    cosine, sine = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    along = ((X[part] - np.float32(x)) * cosine + (Y[part] - np.float32(y)) * sine) / np.float32(length)
    across = ((Y[part] - np.float32(y)) * cosine - (X[part] - np.float32(x)) * sine) / np.float32(length)
    width = np.float32(0.24) * np.maximum(1 - along**2, 0)
    cover = step(0.02, -0.02, np.abs(across) - width) * (np.abs(along) < 1)
    veins = np.cos((along * 26 + np.abs(across) * 40).astype(np.float32)) * np.float32(0.05)
    shade = np.float32(0.85) + np.float32(0.22) * np.tanh(across * 60) - np.abs(across) * np.float32(0.7) + veins
    _lay(picture, part, rgb(color) * np.clip(shade, 0.2, 1.3)[..., None], cover)


def spot(picture: Field, color: Color, x: float, y: float, *, radius: float, strength: float) -> None:
    """Add the image of a light far out of focus: a disc with a brighter rim, as by a fast lens."""
    part = window(x, y, radius * 1.05)
    distance = np.hypot(X[part] - np.float32(x), Y[part] - np.float32(y))
    rim = np.float32(0.55) + step(radius * 0.6, radius, distance) * np.float32(0.35)
    cover = step(radius, radius * 0.93, distance) * rim * np.float32(strength)
    there = picture[part]
    picture[part] = there + (1 - np.clip(there, 0, 1)) * (rgb(color) * cover[..., None])


def _lay(picture: Field, part: Window, paint: Field, cover: Field) -> None:
    there = picture[part]
    picture[part] = there + (paint - there) * cover[..., None]
