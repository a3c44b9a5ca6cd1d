"""Skies: a gradient, the sun's glow, and clouds that grow smaller toward the horizon."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.grid import Field, X, Y, between, mix, ramp, step
from photocritic.sample.canvas.noise import cloud, magnified


def sky(light: Light, rng: Generator, horizon: float, cover: float | None = None) -> Field:
    """Paint a sky over the whole square, complete down to the horizon.

    Parameters
    ----------
    light : Light
        Colors and sun.
    rng : Generator
        Source of randomness.
    horizon : float
        Where the sky ends.
    cover : float, optional
        Share of the sky that clouds hide, 0..1; drawn at random by default.
    """
    height = np.clip(Y / np.float32(max(horizon, 0.2)), 0, 1.2)
    picture = ramp(height, [(0.0, light.zenith), (0.62, light.middle), (1.0, light.horizon)])
    distance = np.hypot(X - np.float32(light.x), (Y - np.float32(light.y)) * np.float32(1.15))
    glow = np.exp(-distance * 5.5) * 0.75 + np.exp(-distance * 2.2) * 0.3
    picture = mix(picture, light.sun, np.clip(glow * light.strength, 0, 0.95).astype(np.float32))
    share = float(rng.uniform(0.15, 0.6)) if cover is None else cover
    picture = _clouds(picture, light, rng, horizon, share)
    if light.y > 0 and light.strength > 0.95:  # a low sun shows its disc
        picture = mix(picture, (1.0, 0.97, 0.88), step(0.05, 0.038, distance))
    return picture


def _clouds(picture: Field, light: Light, rng: Generator, horizon: float, share: float) -> Field:
    """Clouds on a plane overhead: looked up in perspective, lit on the side that faces the sun."""
    if share <= 0.02:
        return picture
    texture = cloud(rng, roughness=1.75, finest=90, stretch=float(rng.uniform(0.45, 0.8)))
    depth = 1 / (np.maximum(np.float32(horizon + 0.12) - Y, 0.03))
    offset = float(rng.random())
    across, down = (X - np.float32(0.5)) * depth * np.float32(0.16) + np.float32(offset), depth * np.float32(0.10)
    density = magnified(texture, across, down)
    toward = magnified(texture, across + np.float32(0.012 * np.sign(light.x - 0.5)), down + np.float32(0.012))
    edge = 0.9 - 1.9 * share
    cover = step(edge, edge + 1.3, density) * step(horizon + 0.06, horizon - 0.18, Y)
    lit = np.clip(0.5 + (density - toward) * np.float32(1.1) - density * np.float32(0.12), 0, 1)
    bright = between(light.sun, (1.0, 1.0, 1.0), 0.35 if light.strength > 0.95 else 0.6)
    dark = between(between(light.shade, light.middle, 0.55), light.zenith, 0.2)
    if light.strength < 0.8:
        bright = between(bright, light.middle, 0.55)
    return mix(picture, mix(dark, bright, lit), cover * np.float32(0.88))
