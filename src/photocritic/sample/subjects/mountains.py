"""Mountain ranges behind a lake, a row of pines or a meadow."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.framing import Frame
from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.dabs import dab
from photocritic.sample.canvas.grid import Color, Field, X, between, hue
from photocritic.sample.canvas.layering import Layer, lay
from photocritic.sample.canvas.noise import line
from photocritic.sample.outdoors.land import field, firs, mist, slope
from photocritic.sample.outdoors.sky import sky
from photocritic.sample.outdoors.water import water
from photocritic.sample.scene_plan import Plan

_ROCK = {
    "snowy": [(0.0, "f6f8fb"), (0.13, "eef2f7"), (0.20, "8a8c94"), (0.34, "4c525c"), (0.6, "343c44")],
    "rocky": [(0.0, "a79a90"), (0.12, "8d8078"), (0.26, "6d645f"), (0.42, "55564c"), (0.6, "3b4436")],
    "green": [(0.0, "8d9468"), (0.12, "6f8550"), (0.3, "4d6b3c"), (0.6, "2f4a2c")],
}


def paint(plan: Plan, frame: Frame, light: Light, rng: Generator) -> list[Layer]:
    """Paint the scene as layers from back to front."""
    foot = float(np.clip(frame.horizon + 0.1, 0.55, 0.76))
    picture = sky(light, rng, foot - 0.05)
    stops = [(place, hue(code)) for place, code in _ROCK[plan.variant]]
    for distance in (0.75, 0.5):
        ridge = foot - 0.10 - 0.17 * distance + 0.04 * line(rng, 1.5, lowest=3)
        layer = slope(ridge, light, rng, _faded(stops, light.haze, distance), 0.7)
        picture = lay(picture, layer)
        picture = mist(picture, light.haze, foot - 0.06, 0.06, 0.3, rng=rng)
    layer = slope(_peak(frame.x, foot, rng), light, rng, _faded(stops, light.haze, 0.1), 1.0)
    picture = lay(picture, layer)
    picture = mist(picture, light.haze, foot, 0.05, 0.55, rng=rng)
    return _FOREGROUND[plan.extra](picture, foot, light, rng)


def _peak(x: float, foot: float, rng: Generator) -> Field:
    """The ridge line of the main mountain: a pyramid with shoulders."""
    columns = X[0]
    height = min(foot - 0.14, 0.52) * float(rng.uniform(0.8, 1.0))
    left, right = float(rng.uniform(0.26, 0.42)), float(rng.uniform(0.26, 0.42))
    away = np.where(columns < x, (x - columns) / left, (columns - x) / right)
    pyramid = np.exp(-(np.abs(away) ** 1.25))
    crags = line(rng, 1.45, lowest=4)
    ridge = foot + 0.02 - height * pyramid - (0.012 + 0.03 * pyramid) * crags
    return np.asarray(np.minimum(ridge, foot + 0.05), dtype=np.float32)


def _faded(stops: list[tuple[float, Color]], haze: Color, share: float) -> list[tuple[float, Color]]:
    return [(place, between(color, haze, share)) for place, color in stops]


def _lake(picture: Field, foot: float, light: Light, rng: Generator) -> list[Layer]:
    shore = firs(light, rng, foot - 0.012, count=30, height=0.05, color=(0.06, 0.09, 0.08), away=0.5)
    banked = lay(picture, shore)
    return [
        Layer(water(banked, foot + 0.012, light, rng, rough=float(rng.uniform(0.05, 0.25)), tint=(0.06, 0.14, 0.18)))
    ]


def _pines(picture: Field, foot: float, light: Light, rng: Generator) -> list[Layer]:
    back = firs(
        light, rng, foot + 0.06, count=30, height=0.14, color=between((0.10, 0.16, 0.14), light.haze, 0.25), away=0.4
    )
    front = firs(light, rng, 0.95, count=13, height=0.38, color=(0.035, 0.06, 0.05), away=0.0)
    return [Layer(picture, None, 0.6), back, front]


def _meadow(picture: Field, foot: float, light: Light, rng: Generator) -> list[Layer]:
    top = (foot + 0.01 + 0.012 * line(rng, 1.6)).astype(np.float32)
    grass = field(light, rng, top, (0.10, 0.18, 0.05), (0.56, 0.64, 0.26))
    blossom = (hue("f3e9f4"), hue("f2c84b"), hue("d65a7c"))[int(rng.integers(3))]
    meadow = grass.picture
    for _ in range(70):
        depth = float(rng.random()) ** 0.6
        y = foot + 0.05 + depth * (0.97 - foot)
        dab(meadow, blossom, float(rng.random()), y, radius=0.0025 + 0.008 * depth, soft=0.004, strength=0.85)
    return [Layer(lay(picture, Layer(meadow, grass.cover)), None, 0.0)]


_FOREGROUND = {"lake": _lake, "pines": _pines, "meadow": _meadow}
