"""The inside of a forest in autumn, summer or winter, with a path, mist or a stream."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.framing import Frame
from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.grid import Color, Field, X, Y, between, mix, ramp, rgb, step, tint
from photocritic.sample.canvas.layering import Layer, lay
from photocritic.sample.canvas.noise import cloud, line, sample
from photocritic.sample.canvas.shapes import Point, mask, spline, stroke
from photocritic.sample.outdoors.land import mist
from photocritic.sample.scene_plan import Plan

_LEAVES: dict[str, tuple[Color, Color, Color]] = {
    "autumn": ((0.34, 0.12, 0.04), (0.80, 0.38, 0.08), (0.98, 0.74, 0.24)),
    "summer": ((0.05, 0.15, 0.04), (0.22, 0.42, 0.10), (0.66, 0.78, 0.30)),
    "winter": ((0.40, 0.44, 0.50), (0.74, 0.78, 0.84), (0.97, 0.98, 1.00)),
}
_FLOOR: dict[str, tuple[Color, Color]] = {
    "autumn": ((0.22, 0.11, 0.05), (0.74, 0.42, 0.15)),
    "summer": ((0.08, 0.13, 0.05), (0.36, 0.44, 0.17)),
    "winter": ((0.55, 0.60, 0.68), (0.96, 0.97, 1.00)),
}


def paint(plan: Plan, frame: Frame, light: Light, rng: Generator) -> list[Layer]:
    """Paint the scene as layers from back to front."""
    dark, mid, bright = _LEAVES[plan.variant]
    floor = float(rng.uniform(0.62, 0.70))
    glow = np.exp(-np.hypot((X - np.float32(frame.x)) * 1.5, Y - np.float32(0.40)) * 3.2).astype(np.float32)
    far = cloud(rng, 1.5, 50)
    back = ramp(
        np.clip(0.38 + far * 0.14 + glow * 0.5, 0, 1),
        [(0.0, tint(dark, 0.9)), (0.5, mid), (0.85, between(bright, light.haze, 0.4)), (1.0, light.horizon)],
    )
    layers = [Layer(mix(back, light.haze, 0.35) * rgb(light.sun), None, 0.9)]
    picture = layers[0].picture
    for depth in (0.8, 0.5):
        picture = lay(picture, _trunks(frame, floor + 0.06 * (1 - depth), depth, light, rng))
        picture = mix(picture, light.haze, 0.22 + 0.35 * glow * light.strength)
    picture = lay(picture, _ground(plan, frame, floor, light, rng))
    thick, dense = (0.14, 0.9) if plan.extra == "mist" else (0.05, 0.3)
    picture = mist(picture, light.haze, floor - 0.02, thick, dense, rng=rng)
    if light.strength > 0.8:
        picture = _rays(picture, frame, light, rng)
    near = _trunks(frame, floor + 0.16, 0.12, light, rng)
    return [Layer(picture, None, 0.55), near, _foliage(plan, frame, light, rng)]


def _trunks(frame: Frame, foot: float, depth: float, light: Light, rng: Generator) -> Layer:
    """Tree trunks at one distance, keeping clear of where the path or the light is."""
    polygons: list[list[Point]] = []
    count = int(5 + 13 * depth)
    for index in range(count):
        x = (index + float(rng.uniform(0.1, 0.9))) / count * 1.1 - 0.05
        if depth < 0.3 and abs(x - frame.x) < 0.17:
            continue
        width = (0.010 + 0.036 * (1 - depth)) * float(rng.uniform(0.7, 1.3))
        bend = line(rng, 1.8, length=5) * np.float32(0.010 + 0.012 * (1 - depth))
        base = foot + float(rng.uniform(-0.02, 0.05))
        spine = spline(
            [(float(x + b), y) for b, y in zip(bend, np.linspace(-0.05, base, 5).tolist(), strict=True)], closed=False
        )
        polygons.append(stroke(spine, width * 0.62, width))
        polygons.append(
            [
                (x + float(bend[-1]) - width * 1.7, base + 0.01),
                (x + float(bend[-1]) - width * 0.8, base - 0.05),
                (x + float(bend[-1]) + width * 0.8, base - 0.05),
                (x + float(bend[-1]) + width * 1.7, base + 0.01),
            ]
        )
        for _ in range(int(3 * (1 - depth)) + 1):
            y = float(rng.uniform(0.02, 0.4))
            reach = float(rng.choice([-1.0, 1.0])) * float(rng.uniform(0.06, 0.18)) * (1.2 - depth)
            polygons.append(
                stroke(
                    spline([(x, y), (x + reach * 0.5, y - 0.03), (x + reach, y - 0.10)], closed=False),
                    width * 0.3,
                    width * 0.08,
                )
            )
    cover = mask(polygons)
    bark = sample(cloud(rng, 1.1, 150, 3.0), X, Y * np.float32(0.5))
    sun_side = np.clip(0.5 + bark * 0.25 + (light.x - X) * np.sign(light.x - 0.5) * 0.25, 0, 1).astype(np.float32)
    color = mix(
        (0.09, 0.07, 0.06),
        between((0.44, 0.35, 0.27), light.sun, 0.2),
        sun_side * np.float32(0.35 + 0.45 * light.strength),
    )
    return Layer(mix(color, light.haze, 0.62 * depth), cover, depth)


def _ground(plan: Plan, frame: Frame, floor: float, light: Light, rng: Generator) -> Layer:
    """The forest floor with what leads into the picture."""
    top = (floor + 0.012 * line(rng, 1.4)).astype(np.float32)
    depth = np.maximum(Y - np.float32(floor), np.float32(0.004))
    distance = 1 / (depth + np.float32(0.06))
    litter = sample(
        cloud(rng, 0.8, 150), (X - np.float32(0.5)) * distance * np.float32(0.2), distance * np.float32(0.3)
    )
    shadows = sample(cloud(rng, 1.7, 20, 0.3), X, distance * np.float32(0.06))
    level = np.clip(0.45 + litter * 0.16 + np.clip(shadows, -1, 1) * 0.22 * light.strength, 0, 1).astype(np.float32)
    picture: Field = mix(*_FLOOR[plan.variant], level) * rgb(light.sun)
    if plan.extra in ("path", "stream"):
        near = depth / np.float32(1 - floor)
        sway = np.sin(near * 3.2 + float(rng.uniform(0, 6))) * 0.05 + (0.5 - frame.x) * 0.4
        half = np.float32(0.02) + near * np.float32(0.20)
        track = step(1.15, 0.85, np.abs(X - frame.x - sway * near) / half + litter * np.float32(0.05))
        if plan.extra == "path":
            worn: Color = (0.60, 0.47, 0.33) if plan.variant != "winter" else (0.62, 0.58, 0.56)
            picture = mix(picture, mix(tint(worn, 0.55), worn, level) * rgb(light.sun), track * np.float32(0.9))
        else:
            ripples = np.clip(0.34 + litter * 0.17 + (1 - near) * 0.19, 0, 0.75)
            shine = between(light.middle, light.horizon, 0.4)
            picture = mix(picture, mix((0.05, 0.12, 0.15), shine, ripples), track)
    return Layer(picture, step(-0.003, 0.003, Y - top[None, :]), 0.4)


def _rays(picture: Field, frame: Frame, light: Light, rng: Generator) -> Field:
    """Shafts of light that fan out from the sun above the crowns."""
    x, y = frame.x + 0.35 * (light.x - 0.5), -0.15
    angle = np.arctan2(X - np.float32(x), Y - np.float32(y))
    shafts = np.interp(angle, np.linspace(-1.6, 1.6, 160), line(rng, 0.9, lowest=6, length=160)).astype(np.float32)
    strength = (
        np.clip(shafts, 0, 2) * step(1.0, 0.1, Y) * step(0.9, 0.1, np.abs(angle)) * np.float32(0.17 * light.strength)
    )
    return mix(picture, light.sun, strength)


def _foliage(plan: Plan, frame: Frame, light: Light, rng: Generator) -> Layer:
    """Leaves (or snow on twigs) that hang into the picture from above and from the sides."""
    clumps = cloud(rng, 1.35, 60)
    edge = np.hypot((X - np.float32(frame.x)) * np.float32(1.1), (Y - np.float32(0.66)) * np.float32(1.05))
    cover = step(0.0, 0.35, clumps * np.float32(0.55) + (edge - np.float32(0.66)) * np.float32(3.2)) * step(
        0.86, 0.66, Y
    )
    dark, mid, bright = _LEAVES[plan.variant]
    speckle = cloud(rng, 0.7, 130)
    level = np.clip(0.42 + speckle * 0.2 + clumps * 0.1 - (edge - 0.5) * 0.35 + 0.15 * light.strength, 0, 1).astype(
        np.float32
    )
    return Layer(ramp(level, [(0.0, tint(dark, 0.7)), (0.5, mid), (1.0, bright)]) * rgb(light.sun), cover, 0.25)
