"""Focus: how sharp each layer of a scene arrives at the sensor."""

import numpy as np
from numpy.random import Generator
from PIL import Image, ImageFilter

from photocritic.sample.canvas.dabs import spot
from photocritic.sample.canvas.grid import SIDE, Color, Field, mix
from photocritic.sample.canvas.layering import Layer, blur, flatten

_WIDE_OPEN = 9.0  # painted pixels of blur at full distance, with a shallow depth of field
_MISSED = 6.5  # painted pixels of blur everywhere, where the focus missed


def focus(layers: list[Layer], name: str, rng: Generator) -> Field:
    """Bring layers together as `focus:<name>` says: (SIDE, SIDE, 3)."""
    if name == "shallow_depth":
        return flatten([_defocus(layer) for layer in layers])
    picture = flatten(layers)
    if name == "out_of_focus":
        return lens_blur(picture, _MISSED)
    if name == "motion_blur":
        return _shake(picture, rng)
    return picture


def lens_blur(picture: Field, radius: float) -> Field:
    """Blur as a lens does: bright spots become discs instead of fading away."""
    values = np.clip(picture, 0, 1)
    discs = blur(blur(values * values - np.float32(0.5 / 255), radius * 0.75) - np.float32(0.5 / 255), radius * 0.5)
    return np.maximum(np.sqrt(discs), blur(values, radius * 0.9))  # squares are too coarse in 8 bits for the shadows


def bokeh(picture: Field, rng: Generator, colors: list[Color], count: int, size: float) -> Field:
    """Scatter the out-of-focus images of distant lights over a picture."""
    picture = picture.copy()
    for _ in range(count):
        x, y = float(rng.uniform(-0.05, 1.05)), float(rng.uniform(-0.05, 0.95))
        color = colors[int(rng.integers(len(colors)))]
        spot(picture, color, x, y, radius=size * float(rng.uniform(0.5, 1.2)), strength=float(rng.uniform(0.25, 0.7)))
    return picture


def _defocus(layer: Layer) -> Layer:
    if isinstance(layer.away, float | int):
        if layer.away <= 0.02:
            return layer
        radius = _WIDE_OPEN * layer.away
        if layer.cover is None:
            return Layer(lens_blur(layer.picture, radius))
        # Blur color and coverage together, so that the layer's edge does not take color from what is not there.
        cover = blur(layer.cover, radius)
        colored = blur(layer.picture * layer.cover[..., None], radius)
        return Layer(colored / np.maximum(cover, 1 / 255)[..., None], cover)
    half, full = lens_blur(layer.picture, _WIDE_OPEN * 0.35), lens_blur(layer.picture, _WIDE_OPEN)
    near = mix(layer.picture, half, np.clip(layer.away * 2.5, 0, 1))
    return Layer(mix(near, full, np.clip(layer.away * 1.6 - 0.6, 0, 1)), layer.cover)


def _shake(picture: Field, rng: Generator) -> Field:
    """Smear along a short, slightly bent path, as a hand that trembles does."""
    angle = float(rng.uniform(-0.5, 0.5)) + (np.pi / 2 if rng.random() < 0.2 else 0.0)
    length, bend = float(rng.uniform(20, 30)), float(rng.uniform(-0.12, 0.12))
    margin = 32
    padded = np.pad(picture, ((margin, margin), (margin, margin), (0, 0)), mode="edge")
    total = np.zeros_like(picture)
    steps = np.linspace(-0.5, 0.5, 15)
    for t in steps:
        across = round(length * (t * np.cos(angle) - bend * t * t * np.sin(angle)))
        down = round(length * (t * np.sin(angle) + bend * t * t * np.cos(angle)))
        total += padded[margin + down : margin + down + SIDE, margin + across : margin + across + SIDE]
    return total / np.float32(len(steps))


def sharpen(picture: Image.Image) -> Image.Image:
    """Sharpen a finished picture as an in-camera JPEG is."""
    return picture.filter(ImageFilter.UnsharpMask(radius=1.0, percent=60, threshold=2))
