"""A city at night: a skyline or a bridge, over a river, under the moon or behind traffic."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.focus import bokeh
from photocritic.sample.camera.framing import Frame
from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.grid import (
    SIDE,
    Color,
    Field,
    X,
    Y,
    between,
    flat,
    hue,
    mix,
    ramp,
    rgb,
    step,
    tint,
)
from photocritic.sample.canvas.layering import Layer, blur
from photocritic.sample.canvas.noise import cloud, line
from photocritic.sample.canvas.shapes import Point, below, disc, mask, spline, stroke
from photocritic.sample.outdoors.water import water
from photocritic.sample.scene_plan import Plan

_DUSKS = (("0a1230", "1d2c5c", "7a5a74"), ("0b0f24", "1a2148", "4a3c62"), ("10203c", "2a4670", "c98a5c"))
_LAMPS: tuple[Color, ...] = ((1.0, 0.82, 0.48), (1.0, 0.90, 0.70), (1.0, 0.68, 0.32), (0.72, 0.86, 1.0))


def paint(plan: Plan, frame: Frame, light: Light, rng: Generator) -> list[Layer]:
    """Paint the scene as layers from back to front."""
    shore = float(np.clip(frame.horizon + 0.12, 0.56, 0.78))
    dusk = [hue(code) for code in _DUSKS[int(rng.integers(len(_DUSKS)))]]
    night = light._replace(
        zenith=dusk[0], middle=dusk[1], horizon=dusk[2], sun=(1.0, 0.82, 0.55), x=frame.x, y=-0.2, strength=0.7
    )
    picture = _sky(plan, night, frame, shore, rng)
    picture = _skyline(picture, frame, shore, night, rng, far=True)
    if plan.variant == "bridge":
        picture = _bridge(picture, frame, shore)
    else:
        picture = _skyline(picture, frame, shore, night, rng, far=False)
    picture = picture + blur(np.clip(picture - 0.45, 0, 1), 9) * np.float32(0.9)  # lamps shine into the haze
    if plan.extra == "traffic":
        return _street(picture, shore, frame, rng)
    rough = float(rng.uniform(0.35, 0.7))
    return [
        Layer(
            _smeared(picture, shore, water(picture, shore, night, rng, rough=rough, tint=tint(dusk[1], 0.5))), None, 0.3
        )
    ]


def _sky(plan: Plan, night: Light, frame: Frame, shore: float, rng: Generator) -> Field:
    height = Y / np.float32(shore)
    picture = ramp(height, [(0.0, night.zenith), (0.6, night.middle), (1.0, night.horizon)])
    wisps = np.clip(cloud(rng, 1.9, 40, 0.5) * 0.5, 0, 1) * step(0.2, 0.8, height)
    picture = mix(picture, between(night.horizon, (0.5, 0.42, 0.5), 0.4), wisps * np.float32(0.5))
    if plan.extra == "moon":
        x, y, radius = (
            1 - frame.x + float(rng.uniform(-0.08, 0.08)),
            float(rng.uniform(0.13, 0.2)),
            float(rng.uniform(0.045, 0.065)),
        )
        glow = np.exp(-np.hypot(X - np.float32(x), Y - np.float32(y)) * 9) * 0.7
        picture = mix(picture, (0.85, 0.85, 0.9), glow.astype(np.float32))
        seas = np.clip(0.92 + cloud(rng, 1.8, 60) * 0.07, 0.7, 1).astype(np.float32)
        return mix(picture, flat((1.0, 0.97, 0.88)) * seas[..., None], disc(x, y, radius))
    stars = (rng.random((SIDE, SIDE), dtype=np.float32) > 0.9993) & (shore * 0.6 > Y)
    return mix(picture, (0.9, 0.92, 1.0), blur(stars.astype(np.float32), 0.8) * np.float32(1.6))


def _skyline(picture: Field, frame: Frame, shore: float, night: Light, rng: Generator, *, far: bool) -> Field:
    """Towers whose height peaks where the subject stands, with lit windows."""
    x = -0.03
    while x < 1.03:
        width = float(rng.uniform(0.035, 0.075) if far else rng.uniform(0.055, 0.12))
        prominence = np.exp(-(((x + width / 2 - frame.x) / 0.24) ** 2))
        height = (0.10 if far else 0.07) + (0.10 if far else 0.36) * float(
            prominence * rng.uniform(0.55, 1.0) + 0.18 * rng.random()
        )
        picture = _tower(picture, (x, shore - height, width * 0.97, shore), night, rng, far=far)
        x += width
    return picture


def _tower(picture: Field, box: tuple[float, float, float, float], night: Light, rng: Generator, *, far: bool) -> Field:
    x, top, width, foot = box
    left, right = max(int(x * SIDE), 0), min(int((x + width) * SIDE), SIDE)
    upper, lower = int(top * SIDE), int(foot * SIDE)
    if right - left < 3:
        return picture
    wall = rgb(between(tint(night.middle, float(rng.uniform(0.35, 0.6))), night.horizon, 0.35 if far else 0.05))
    block = np.broadcast_to(wall, (lower - upper, right - left, 3)).copy()
    block *= np.linspace(0.75, 1.2, right - left, dtype=np.float32)[None, :, None]
    across, down = (3, 4) if far else (int(rng.integers(4, 6)), int(rng.integers(5, 7)))
    columns, rows = (right - left - 2) // across, (lower - upper - 4) // down
    if columns > 0 and rows > 0:
        lit = rng.random((rows, columns)) < float(rng.uniform(0.25, 0.65))
        lamp = rgb(_LAMPS[int(rng.integers(len(_LAMPS)))])
        bright = rng.uniform(0.45, 1.0, (rows, columns)).astype(np.float32) * lit * np.float32(0.5 if far else 1.0)
        panes = np.kron(bright, np.pad(np.ones((down - 2, across - 2), np.float32), ((1, 1), (1, 1))))
        area = block[3 : 3 + rows * down, 1 : 1 + columns * across]
        area += (lamp - area) * panes[..., None]
    picture[upper:lower, left:right] = block
    if not far and rng.random() < 0.35:
        middle = (left + right) // 2
        picture[max(upper - int(0.06 * SIDE), 0) : upper, middle - 1 : middle + 1] = wall
        picture[max(upper - int(0.06 * SIDE) - 2, 0) : upper - int(0.06 * SIDE) + 2, middle - 2 : middle + 2] = (
            1.0,
            0.25,
            0.2,
        )
    return picture


def _bridge(picture: Field, frame: Frame, shore: float) -> Field:
    """A suspension bridge with two towers and a string of lamps."""
    deck, high = shore - 0.07, shore - 0.40
    towers = (frame.x - 0.24, frame.x + 0.24)
    sag = np.abs((X[0] - frame.x) / 0.24)
    cable = np.where(
        sag < 1, deck - 0.03 - (deck - 0.03 - high) * sag**2, high + (deck - high) * np.clip((sag - 1) / 0.9, 0, 1)
    )
    steel: Color = (0.13, 0.12, 0.18)
    lit: Color = (0.88, 0.62, 0.34)
    hangers = step(0.22, 0.12, np.abs((X * 36) % 1 - np.float32(0.5))) * below(cable) * step(deck + 0.01, deck, Y)
    picture = mix(picture, lit, hangers * np.float32(0.4))
    picture = mix(
        picture, lit, mask([stroke(list(zip(X[0, ::4].tolist(), cable[::4].tolist(), strict=True)), 0.005, 0.005)])
    )
    for x in towers:
        legs: list[list[Point]] = [
            [(x - 0.026, high - 0.02), (x - 0.010, high - 0.02), (x - 0.010, shore + 0.01), (x - 0.030, shore + 0.01)]
        ]
        legs.append([(2 * x - px, py) for px, py in legs[0]])
        legs += [
            [(x - 0.02, y), (x + 0.02, y), (x + 0.02, y + 0.014), (x - 0.02, y + 0.014)]
            for y in (high, high + 0.12, high + 0.24)
        ]
        tower = mask(legs)
        picture = mix(picture, mix(lit, steel, step(high, shore, Y)), tower)
    road = step(deck - 0.002, deck + 0.002, Y) * step(deck + 0.026, deck + 0.022, Y)
    picture = mix(picture, steel, road)
    lamps = step(0.25, 0.1, np.hypot((X * 18) % 1 - np.float32(0.5), (Y - np.float32(deck - 0.012)) * 18))
    return mix(picture, (1.0, 0.88, 0.6), lamps)


def _smeared(picture: Field, shore: float, wet: Field) -> Field:
    """Draw reflections out downward, as small waves do with lamps."""
    start = int(shore * SIDE)
    river = wet[start:].copy()
    for reach in (4, 8, 16):
        moved = np.concatenate([np.repeat(river[:1], reach, axis=0), river[:-reach]], axis=0)
        river = np.maximum(river, moved * np.float32(0.85) + river * np.float32(0.1))
    picture = picture.copy()
    picture[start:] = wet[start:] * np.float32(0.35) + river * np.float32(0.6)
    return picture


def _street(picture: Field, shore: float, frame: Frame, rng: Generator) -> list[Layer]:
    """An avenue toward the towers with head and tail lights drawn into trails."""
    asphalt = cloud(rng, 1.0, 120, 0.6)
    depth = np.clip((Y - np.float32(shore)) / np.float32(1 - shore), 0, 1)
    road = mix((0.10, 0.09, 0.13), (0.05, 0.05, 0.07), depth) + (asphalt * np.float32(0.012))[..., None]
    sheen = np.exp(-(((X - np.float32(frame.x)) / (np.float32(0.08) + depth * np.float32(0.3))) ** 2)) * (
        1 - depth * 0.6
    )
    road = mix(road, (0.55, 0.38, 0.24), (sheen * 0.4).astype(np.float32))
    picture = mix(picture, road, step(shore - 0.003, shore + 0.003, Y))
    trails = np.zeros((SIDE, SIDE, 3), np.float32)
    for _ in range(13):
        side = float(rng.choice([-1.0, 1.0]))
        reach = side * float(rng.uniform(0.12, 0.75))
        wobble = float(line(rng, 1.5, length=8)[0]) * 0.01
        path = spline(
            [
                (frame.x + side * 0.012, shore + 0.004),
                (frame.x + reach * 0.25 + wobble, shore + 0.25 * (1 - shore)),
                (frame.x + reach, 1.05),
            ],
            closed=False,
        )
        color = (1.0, 0.20, 0.10) if side > 0 else (1.0, 0.92, 0.72)
        trails = np.maximum(trails, mask([stroke(path, 0.0012, 0.011)])[..., None] * rgb(color))
    picture = np.maximum(picture, trails)
    picture = picture + blur(trails, 7) * np.float32(0.7)
    lamps = bokeh(np.zeros_like(picture), rng, [(1.0, 0.75, 0.4), (1.0, 0.3, 0.2), (0.6, 0.8, 1.0)], 7, 0.05)
    return [Layer(np.clip(picture + lamps * (shore < Y)[..., None] * np.float32(0.35), 0, 1.5), None, 0.3)]
