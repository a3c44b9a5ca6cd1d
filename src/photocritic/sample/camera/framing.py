"""Where the main thing stands, how large it is, and how level the camera is held."""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from PIL import Image

from photocritic.sample.canvas.grid import SIDE, Field
from photocritic.sample.scene_plan import Plan


class Frame(NamedTuple):
    """The framing of a scene.

    Attributes
    ----------
    x, y : float
        Where the main thing stands.
    size : float
        Its size, 1 being comfortable.
    horizon : float
        Height of the horizon, from the top.
    """

    x: float
    y: float
    size: float
    horizon: float


def frame(plan: Plan, rng: Generator) -> Frame:
    """Choose the framing that belongs to the plan's `composition`."""
    left = plan.side == "left"
    if plan.composition == "thirds":
        return Frame(1 / 3 if left else 2 / 3, 0.52, 0.92, 1 / 3 if rng.random() < 0.35 else 2 / 3)
    if plan.composition == "negative_space":
        x = float(rng.uniform(0.2, 0.27))
        return Frame(x if left else 1 - x, 0.68, 0.45, float(rng.uniform(0.76, 0.84)))
    if plan.composition == "tight_crop":
        x = 0.5 + float(rng.uniform(-0.05, 0.05))
        return Frame(x, 0.52, 1.75, 0.6)
    if plan.composition == "tilted":
        return Frame(0.42 if left else 0.58, 0.52, 0.95, float(rng.uniform(0.5, 0.62)))
    return Frame(0.5, 0.5, 1.0, 0.5)


def tilt(picture: Field, plan: Plan, rng: Generator) -> Field:
    """Hold the camera askew by 7 to 12 degrees where the plan says so, zooming in so that no corner is empty."""
    if plan.composition != "tilted":
        return picture
    angle = np.deg2rad(float(rng.uniform(7, 12)) * (1 if plan.side == "left" else -1))
    zoom = float(np.cos(angle) + abs(np.sin(angle)))
    a, b, half = float(np.cos(angle)) / zoom, float(np.sin(angle)) / zoom, SIDE / 2
    matrix = (a, b, half - a * half - b * half, -b, a, half + b * half - a * half)
    image = Image.fromarray((np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8))
    turned = image.transform((SIDE, SIDE), Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC)
    return np.asarray(turned, dtype=np.float32) / 255
