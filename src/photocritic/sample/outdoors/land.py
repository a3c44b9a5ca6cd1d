"""Land: ridges with lit and shaded slopes, fields, grasses and fir trees."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.grid import SIDE, Color, Field, X, Y, flat, mix, ramp, rgb, step
from photocritic.sample.canvas.layering import Layer
from photocritic.sample.canvas.noise import cloud, sample
from photocritic.sample.canvas.shapes import Point, below, mask


def slope(ridge: Field, light: Light, rng: Generator, stops: list[tuple[float, Color]], rocky: float) -> Layer:
    """Paint a mountain below its ridge line.

    Parameters
    ----------
    ridge : ndarray, (SIDE,)
        Height of the ridge at every column, from the top.
    light : Light
        Its sun decides which faces are lit.
    rng : Generator
        Source of randomness.
    stops : list of (float, Color)
        Colors from the ridge (0) downward (in units of the picture's side).
    rocky : float
        How deep the faces and gullies are.
    """
    depth = Y - ridge[None, :]
    relief = cloud(rng, roughness=1.75, finest=110, stretch=1.25)
    # Spurs run down from the ridge, fanning out from each of its summits.
    fan = X + depth * np.float32(0.55) * np.tanh(np.gradient(_smooth(ridge))[None, :] * np.float32(SIDE))
    spurs = 1 - np.abs(sample(relief, fan, depth * np.float32(0.75)))
    toward = np.float32(np.sign(light.x - 0.5))
    fall = (np.gradient(_smooth(ridge)) * SIDE)[None, :] * np.exp(-np.maximum(depth, 0) * 4)
    faces = np.roll(spurs, 1, axis=1) - np.roll(spurs, -1, axis=1)
    lit = np.clip(np.float32(0.52) + toward * (fall * np.float32(0.28) - faces * np.float32(1.5 * rocky)), 0, 1)
    albedo = ramp(depth + (spurs - np.float32(0.4)) * np.float32(0.05 * (0.3 + rocky)), stops)
    day = rgb(light.sun) * np.float32(0.55 + 0.55 * light.strength)
    shade = rgb(light.shade) * np.float32(1.25) * np.float32(0.6 + 0.6 * (1 - light.strength))
    return Layer(albedo * mix(shade, day, lit), below(ridge), 0.8)


def _smooth(ridge: Field) -> Field:
    return np.convolve(np.pad(ridge, 6, mode="edge"), np.full(13, 1 / 13), mode="valid").astype(np.float32)


def field(light: Light, rng: Generator, top: Field, dark: Color, bright: Color) -> Layer:
    """Paint a field of grass below a line, in perspective, with a gleam toward the sun."""
    texture = cloud(rng, roughness=0.9, finest=140, stretch=0.7)
    depth = np.maximum(Y - top.min(), np.float32(0.004))
    distance = 1 / (depth + np.float32(0.08))
    blades = sample(texture, (X - np.float32(0.5)) * distance * np.float32(0.25), distance * np.float32(0.35))
    gleam = np.exp(-np.abs(X - np.float32(light.x)) * 2.2) * 0.3 * light.strength
    shade = np.clip(np.float32(0.42) + blades * np.float32(0.2) + gleam - (depth * 0.45), 0, 1).astype(np.float32)
    near = np.clip(depth * 1.6, 0, 1)
    return Layer(mix(dark, bright, shade) * rgb(light.sun), below(top), 1.0 - near)


def fir(x: float, foot: float, height: float, rng: Generator) -> list[list[Point]]:
    """Draw a fir tree as ragged tiers around a trunk."""
    tiers = int(rng.integers(7, 10))
    width = height * float(rng.uniform(0.17, 0.23))
    left: list[Point] = []
    right: list[Point] = []
    for tier in range(tiers):
        share = (tier + 1) / tiers
        y = foot - height * (1 - share * 0.94)
        reach = width * share**0.85
        for side, sign in ((left, -1), (right, 1)):
            droop = height * float(rng.uniform(0.0, 0.03))
            side.append((x + sign * reach * float(rng.uniform(0.8, 1.15)), y + droop))
            side.append((x + sign * reach * float(rng.uniform(0.4, 0.55)), y - height * 0.012))
    crown = [(x, foot - height), *right, *reversed(left)]
    trunk = [
        (x - width * 0.07, foot - height * 0.1),
        (x + width * 0.07, foot - height * 0.1),
        (x + width * 0.07, foot),
        (x - width * 0.07, foot),
    ]
    return [crown, trunk]


def firs(light: Light, rng: Generator, line: float, *, count: int, height: float, color: Color, away: float) -> Layer:
    """Paint a row of firs on a line, leaving a gap so that the view stays open."""
    gap = float(rng.uniform(0.3, 0.7))
    polygons: list[list[Point]] = []
    for _ in range(count):
        x = float(rng.uniform(-0.05, 1.05))
        openness = min(abs(x - gap) * 2.2 + 0.25, 1.0)
        polygons += fir(x, line + float(rng.uniform(0, 0.04)), height * openness * float(rng.uniform(0.7, 1.1)), rng)
    polygons.append([(-0.1, line + 0.01), (1.1, line + 0.01), (1.1, 1.1), (-0.1, 1.1)])
    ragged = cloud(rng, roughness=0.8, finest=150)
    gleam = np.exp(-np.abs(X - np.float32(light.x)) * 3.0) * 0.4 * light.strength
    picture = mix(flat(color), light.sun, np.clip(gleam * 0.35 + ragged * 0.05, 0, 0.5).astype(np.float32))
    return Layer(picture, mask(polygons), away)


def mist(picture: Field, color: Color, line: float, thickness: float, amount: float, *, rng: Generator) -> Field:
    """Lay a bank of mist over a picture around a height."""
    wisps = cloud(rng, roughness=2.0, finest=30, stretch=0.3)
    bank = np.exp(-(((Y - np.float32(line)) / np.float32(thickness)) ** 2)) * (1 + wisps * np.float32(0.3))
    return mix(picture, color, np.clip(bank * np.float32(amount), 0, 1) * step(1.2, 0.2, Y))
