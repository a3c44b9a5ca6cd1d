"""Light on round things: silhouettes blown up like balloons, and vessels turned on a lathe."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from photocritic.sample.canvas.grid import SIDE, Field, X, Y, step
from photocritic.sample.canvas.layering import blur

Vector = tuple[float, float, float]


class Surface(NamedTuple):
    """A visible surface: its coverage and its unit normals (x right, y down, z to the viewer)."""

    cover: Field
    x: Field
    y: Field
    z: Field


def diffuse(surface: Surface, light: Vector) -> Field:
    """Lambert's cosine law, 0 in the shade: (SIDE, SIDE)."""
    a, b, c = _unit(light)
    cosine: Field = np.clip(surface.x * a + surface.y * b + surface.z * c, 0, 1)
    return cosine


def gloss(surface: Surface, light: Vector, sharpness: float) -> Field:
    """Blinn's highlight for a viewer straight in front: (SIDE, SIDE)."""
    a, b, c = _unit(light)
    half_way = _unit((a, b, c + 1))
    return diffuse(surface, half_way) ** np.float32(sharpness)


def inflate(cover: Field, radius: float, height: float = 1.0) -> Surface:
    """Blow a silhouette up so that its edges turn away from the viewer.

    Parameters
    ----------
    cover : ndarray, (SIDE, SIDE)
        The silhouette.
    radius : float
        Width of the rounded edge, in painted pixels.
    height : float
        How strongly the edge turns away.
    """
    bump = (blur(cover, radius) * 0.65 + blur(cover, radius / 3) * 0.35) * radius * np.float32(2.2 * height)
    down, across = np.gradient(bump)
    length = np.sqrt(across**2 + down**2 + 1)
    return Surface(cover, -across / length, -down / length, 1 / length)


def lathe(profile: Callable[[Field], Field], x: float, top: float, bottom: float) -> Surface:
    """Turn a profile around a vertical axis.

    Parameters
    ----------
    profile : callable
        Half width at each height, 0 at the top and 1 at the bottom, in units of the picture's side.
    x, top, bottom : float
        Where the axis stands.
    """
    heights = (Y[:, 0] - np.float32(top)) / np.float32(bottom - top)
    radius = np.maximum(profile(np.clip(heights, 0, 1)), 1e-4).astype(np.float32)
    slope = np.gradient(radius) * SIDE
    across = (X - np.float32(x)) / radius[:, None]
    edge = 1.0 / SIDE / radius[:, None]
    inside = np.clip((1 - np.abs(across)) / edge + 0.5, 0, 1)
    inside *= step(-0.5 / SIDE, 0.5 / SIDE, Y - np.float32(top)) * step(0.5 / SIDE, -0.5 / SIDE, Y - np.float32(bottom))
    side = np.clip(across, -1, 1)
    front = np.sqrt(np.maximum(1 - side**2, 0))
    tilt = np.clip(-slope, -3, 3)[:, None]
    length = np.sqrt(1 + tilt**2)
    return Surface(inside.astype(np.float32), side / length, (tilt / length) * np.ones_like(side), front / length)


def _unit(vector: Vector) -> Vector:
    length = max(float(np.sqrt(sum(part * part for part in vector))), 1e-6)
    return vector[0] / length, vector[1] / length, vector[2] / length
