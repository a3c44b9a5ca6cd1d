"""Outlines turned into masks with smooth edges."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike
from PIL import Image, ImageDraw

from photocritic.sample.canvas.grid import SIDE, Field, X, Y, step

_FINE = 2  # masks are drawn this many times larger still
Point = tuple[float, float]
Points = Sequence[Point]


def mask(polygons: Iterable[Points]) -> Field:
    """Fill polygons, given in 0..1 coordinates, together: (SIDE, SIDE) in 0..1."""
    image = Image.new("L", (SIDE * _FINE, SIDE * _FINE))
    draw = ImageDraw.Draw(image)
    for polygon in polygons:
        draw.polygon([(x * SIDE * _FINE, y * SIDE * _FINE) for x, y in polygon], fill=255)
    return np.asarray(image.reduce(_FINE), dtype=np.float32) / 255


def spline(points: Points, closed: bool = True, steps: int = 8) -> list[Point]:
    """Draw a Catmull-Rom curve through points."""
    knots = np.asarray(points, dtype=np.float64)
    before, after = (knots[-1:], knots[:2]) if closed else (knots[:1], knots[-1:])
    knots = np.concatenate([before, knots, after])
    a, b, c, d = knots[:-3, None], knots[1:-2, None], knots[2:-1, None], knots[3:, None]
    t = (np.arange(steps) / steps)[None, :, None]
    curve = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
    flat = curve.reshape(-1, 2)
    if not closed:
        flat = np.concatenate([flat, knots[-1:]])
    return [(float(x), float(y)) for x, y in flat]


def oval(x: float, y: float, width: float, height: float, turn: float = 0.0) -> list[Point]:
    """Draw an ellipse by its centre and half axes, turned by `turn` radians."""
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    across, down = width * np.cos(angles), height * np.sin(angles)
    cosine, sine = np.cos(turn), np.sin(turn)
    return [
        (float(x + a * cosine - d * sine), float(y + a * sine + d * cosine)) for a, d in zip(across, down, strict=True)
    ]


def stroke(points: Points, start: float, end: float) -> list[Point]:
    """Draw a tapering stroke along a curve, `start` and `end` being its half widths."""
    path = np.asarray(points, dtype=np.float64)
    along = np.gradient(path, axis=0)
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-9
    width = np.linspace(start, end, len(path))[:, None]
    outline = np.concatenate([path + normal * width, (path - normal * width)[::-1]])
    return [(float(x), float(y)) for x, y in outline]


def place(points: Points, x: float, y: float, size: float, flip: bool = False) -> list[Point]:
    """Move an outline drawn in a unit box so that the box's centre lies at (x, y) with side `size`."""
    sign = -1.0 if flip else 1.0
    return [(x + sign * (px - 0.5) * size, y + (py - 0.5) * size) for px, py in points]


def below(heights: ArrayLike) -> Field:
    """Mask what lies below a line that gives the height (0..1, from the top) at every column."""
    edge = 0.75 / SIDE
    return step(-edge, edge, Y - np.asarray(heights, dtype=np.float32)[None, :])


def disc(x: float, y: float, radius: float, soft: float = 0.006, part: tuple[slice, slice] | None = None) -> Field:
    """Mask a disc whose edge is `soft` wide, over the whole square or a part of it."""
    across, down = (X, Y) if part is None else (X[part], Y[part])
    return step(radius + soft, radius - soft, np.hypot(across - np.float32(x), down - np.float32(y)))
