"""Dunes with a camel, a lone tree, footprints or a rider."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.framing import Frame
from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.dabs import dab
from photocritic.sample.canvas.grid import Color, Field, X, Y, between, flat, mix, rgb, step, tint
from photocritic.sample.canvas.layering import Layer, lay
from photocritic.sample.canvas.noise import cloud, line, sample
from photocritic.sample.canvas.shapes import Point, below, mask, oval, place, spline, stroke
from photocritic.sample.outdoors.sky import sky
from photocritic.sample.scene_plan import Plan

_SANDS: tuple[Color, ...] = ((0.86, 0.62, 0.38), (0.82, 0.52, 0.30), (0.88, 0.74, 0.54))


def paint(plan: Plan, frame: Frame, light: Light, rng: Generator) -> list[Layer]:
    """Paint the scene as layers from back to front."""
    sand = _SANDS[int(rng.integers(len(_SANDS)))]
    top = float(np.clip(frame.horizon, 0.36, 0.74))
    picture = sky(light, rng, top, 0.04 if plan.composition == "negative_space" else float(rng.uniform(0.05, 0.35)))
    ripples = cloud(rng, 1.1, 120, 0.35)
    crest_at = top
    rows = (0.02, 0.10, 0.22) if plan.composition != "negative_space" else (0.02, 0.08)
    for order, drop in enumerate(rows):
        away = 1 - (order + 1) / (len(rows) + 1)
        height = 0.035 + 0.05 * (1 - away)
        crest = (top + drop - height * 0.4 * line(rng, 2.0)).astype(np.float32)
        picture = lay(picture, _dune(crest, sand, light, ripples, rng, away=away))
        if order == len(rows) - 2 or len(rows) == 1:
            crest_at = float(crest[int(np.clip(frame.x, 0, 0.999) * len(crest))])
            picture = lay(picture, _companion(plan, frame, crest_at, light, rng))
    if plan.extra == "footprints":
        picture = _footprints(picture, frame, top + rows[-1] + 0.02, sand, light)
    return [Layer(picture, None, 0.2)]


def _dune(crest: Field, sand: Color, light: Light, ripples: Field, rng: Generator, *, away: float) -> Layer:
    """A dune whose spine winds toward the viewer: one flank lit, the other in the shade."""
    depth = Y - crest[None, :]
    spine = (
        0.5
        + 0.32 * float(rng.uniform(-1, 1))
        + np.sin(depth * float(rng.uniform(4, 9)) + float(rng.uniform(0, 6))) * 0.13
        + depth * float(rng.uniform(-1.2, 1.2))
    )
    sign = 1.0 if light.x > 0.5 else -1.0
    flank = step(-0.02, 0.02, ((X - spine) * np.float32(sign)).astype(np.float32))
    distance = 1 / (np.maximum(depth, 0) + np.float32(0.10))
    wind = sample(ripples, X * np.float32(0.8) + depth * np.float32(0.4), distance * np.float32(0.22))
    fine = np.sin((distance * 26 + wind * np.float32(2.6) + X * 9).astype(np.float32)) * step(0.02, 0.25, depth)
    texture = wind * np.float32(0.05) + fine * np.float32(0.05)
    shade = tint(between(sand, light.shade, 0.5), 0.72)
    bright = rgb(sand) * rgb(light.sun) * np.float32(0.72 + 0.45 * light.strength)
    share = np.clip(
        flank * np.float32(0.9 * light.strength + 0.1 * (1 - light.strength))
        + np.float32(0.5 * (1 - light.strength))
        + texture
        - depth * np.float32(0.25),
        0,
        1,
    )
    rim = np.exp(-np.maximum(depth, 0) * 90) * 0.25 * light.strength
    picture = mix(mix(shade, bright, share), light.sun, rim.astype(np.float32))
    return Layer(mix(picture, light.haze, 0.55 * away), below(crest), away)


def _companion(plan: Plan, frame: Frame, ground: float, light: Light, rng: Generator) -> Layer:
    """What stands on the crest, against the sky."""
    size = 0.25 * frame.size + 0.04
    flip = plan.side == "right"
    dark = flat(tint(light.shade, 0.28))
    if plan.extra == "footprints":
        return Layer(dark, np.zeros_like(X), 0.0)
    outlines = {"camel": _camel, "tree": _tree, "rider": _rider}[plan.extra](rng)
    count = 3 if plan.extra == "camel" and frame.size > 0.6 and rng.random() < 0.5 else 1
    placed = [
        place(outline, frame.x + (n - (count - 1) / 2) * size * 1.05, ground - 0.44 * size, size, flip)
        for n in range(count)
        for outline in outlines
    ]
    cover = mask(placed)
    gleam = np.exp(-np.abs(X - np.float32(light.x)) * 3) * 0.25 * light.strength
    return Layer(mix(dark, light.sun, gleam.astype(np.float32)), cover, 0.0)


def _camel(_: Generator) -> list[list[Point]]:
    body = spline(
        [
            (0.16, 0.46),
            (0.24, 0.40),
            (0.33, 0.36),
            (0.42, 0.22),
            (0.51, 0.36),
            (0.62, 0.40),
            (0.66, 0.48),
            (0.60, 0.60),
            (0.40, 0.62),
            (0.22, 0.60),
        ]
    )
    neck = stroke(spline([(0.62, 0.48), (0.74, 0.52), (0.80, 0.38), (0.82, 0.24)], closed=False), 0.07, 0.032)
    head = spline([(0.79, 0.22), (0.83, 0.17), (0.90, 0.19), (0.95, 0.24), (0.93, 0.28), (0.85, 0.27)])
    legs = [
        stroke([(x, 0.56), (x + bend, 0.74), (x, 0.955)], 0.035, 0.014)
        for x, bend in ((0.22, -0.02), (0.29, 0.01), (0.55, 0.01), (0.62, -0.01))
    ]
    return [body, neck, head, *legs]


def _tree(rng: Generator) -> list[list[Point]]:
    trunk = stroke(spline([(0.50, 0.97), (0.48, 0.75), (0.52, 0.55)], closed=False), 0.035, 0.020)
    arms = [
        stroke(spline([(0.51, 0.62), (0.5 + reach * 0.5, 0.46), (0.5 + reach, 0.30)], closed=False), 0.018, 0.006)
        for reach in (-0.34, -0.14, 0.12, 0.32)
    ]
    crown = [
        oval(
            0.5 + float(rng.uniform(-0.36, 0.36)),
            0.27 + float(rng.uniform(-0.06, 0.04)),
            float(rng.uniform(0.08, 0.17)),
            float(rng.uniform(0.025, 0.05)),
        )
        for _ in range(14)
    ]
    return [trunk, *arms, *crown]


def _rider(_: Generator) -> list[list[Point]]:
    body = spline(
        [(0.20, 0.56), (0.28, 0.51), (0.45, 0.53), (0.60, 0.50), (0.66, 0.58), (0.60, 0.68), (0.40, 0.69), (0.24, 0.68)]
    )
    neck = stroke(spline([(0.60, 0.58), (0.70, 0.46), (0.76, 0.36)], closed=False), 0.075, 0.04)
    head = spline([(0.72, 0.33), (0.78, 0.30), (0.86, 0.40), (0.88, 0.45), (0.84, 0.47), (0.75, 0.41)])
    legs = [
        stroke([(x, 0.62), (x + bend, 0.79), (x + bend * 0.3, 0.955)], 0.035, 0.013)
        for x, bend in ((0.23, -0.05), (0.30, 0.02), (0.57, 0.04), (0.62, -0.01))
    ]
    tail = stroke(spline([(0.21, 0.56), (0.12, 0.62), (0.11, 0.78)], closed=False), 0.025, 0.008)
    torso = spline([(0.40, 0.56), (0.385, 0.38), (0.42, 0.30), (0.49, 0.30), (0.51, 0.42), (0.49, 0.56)])
    leg = stroke([(0.46, 0.54), (0.51, 0.64), (0.49, 0.76)], 0.03, 0.016)
    face = oval(0.455, 0.235, 0.042, 0.055)
    scarf = spline([(0.42, 0.27), (0.30, 0.30), (0.22, 0.36), (0.31, 0.35), (0.41, 0.32)])
    return [body, neck, head, *legs, tail, torso, leg, face, scarf]


def _footprints(picture: Field, frame: Frame, top: float, sand: Color, light: Light) -> Field:
    """A track of dents that climbs from the lower edge to the crest."""
    bright, dark = between(sand, light.sun, 0.5), tint(between(sand, light.shade, 0.6), 0.5)
    start = 0.5 + (0.5 - frame.x) * 1.4
    picture = picture.copy()
    for index in range(22):
        near = (1 - index / 22) ** 1.7
        y = top + (1.02 - top) * near
        x = frame.x + (start - frame.x) * near + float(np.sin(near * 5)) * 0.05
        x += (0.020 if index % 2 else -0.020) * (0.3 + near)
        radius = 0.005 + 0.016 * near
        dab(picture, bright, x, y + radius * 0.8, radius=radius, soft=0.008, strength=0.7)
        dab(picture, dark, x, y, radius=radius, soft=0.005, strength=0.85)
    return picture
