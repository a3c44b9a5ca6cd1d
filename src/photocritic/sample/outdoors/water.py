"""Water: the world above it upside down, broken by waves, with the sun's glitter on them."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.grid import SIDE, Color, Field, X, Y, mix, rgb, step
from photocritic.sample.canvas.noise import cloud, sample


def water(above: Field, line: float, light: Light, rng: Generator, *, rough: float, tint: Color) -> Field:
    """Paint water below a line.

    Parameters
    ----------
    above : ndarray, (SIDE, SIDE, 3)
        The picture, complete down to the line.
    line : float
        Where the water begins.
    light : Light
        For the glitter below the sun.
    rng : Generator
        Source of randomness.
    rough : float
        0 is a mirror, 1 a choppy sea.
    tint : Color
        What one sees where the water does not mirror.

    Returns
    -------
    ndarray, (SIDE, SIDE, 3)
        The picture with water in it.
    """
    depth = np.maximum(Y - np.float32(line), np.float32(1e-3))
    near = depth / np.float32(max(1 - line, 0.1))
    waves = _waves(rng, depth)
    rows = (
        np.float32(line)
        - depth * np.float32(0.92)
        + waves * (np.float32(0.012 + 0.05 * rough) * (np.float32(0.25) + near))
    )
    columns = X + waves * np.float32(0.006 + 0.012 * rough)
    mirrored = above[
        np.clip((rows * SIDE).astype(np.int32), 0, max(int(line * SIDE) - 1, 0)),
        np.clip((columns * SIDE).astype(np.int32), 0, SIDE - 1),
    ]
    facing = np.clip(
        np.float32(0.18 + 0.3 * rough) * (np.float32(0.4) + near) - waves * np.float32(0.10 + 0.14 * rough), 0, 0.85
    )
    picture = mix(mirrored * np.float32(0.93), tint, facing)
    picture = picture + (waves * (np.float32(0.02 + 0.05 * rough) * near))[..., None] * rgb(light.sun)
    glitter = np.exp(-(((X - np.float32(light.x)) / (np.float32(0.05) + near * np.float32(0.16))) ** 2))
    sparkle = step(0.6, 1.7, waves) * glitter * np.float32(light.strength * (1.0 if light.y > 0 else 0.35))
    picture = mix(picture, light.sun, np.clip(sparkle, 0, 1))
    edge = 0.75 / SIDE
    return mix(above, picture, step(-edge, edge, Y - np.float32(line)))


def _waves(rng: Generator, depth: Field) -> Field:
    """Wave heights on a plane seen in perspective; far waves are finer and flatter than a pixel shows."""
    texture = cloud(rng, roughness=1.25, finest=110, stretch=0.45)
    distance = 1 / (depth + np.float32(0.035))
    offset = np.float32(rng.random())
    waves = sample(texture, (X - np.float32(0.5)) * distance * np.float32(0.10) + offset, distance * np.float32(0.16))
    fine = sample(texture, (X - np.float32(0.5)) * distance * np.float32(0.31), distance * np.float32(0.5) + offset)
    return waves * np.float32(0.7) + fine * np.float32(0.5)
