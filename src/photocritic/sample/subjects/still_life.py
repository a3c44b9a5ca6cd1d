"""A vessel on a table, with a fruit or a cup beside it."""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.framing import Frame
from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.grid import Color, Field, X, Y, between, flat, mix, rgb, step, tint
from photocritic.sample.canvas.layering import Layer, blur
from photocritic.sample.canvas.noise import cloud
from photocritic.sample.canvas.relief import Surface, diffuse, gloss, inflate, lathe
from photocritic.sample.canvas.shapes import mask, oval, spline, stroke
from photocritic.sample.scene_plan import Plan

_GLAZE: dict[str, Color] = {
    "blue": (0.16, 0.32, 0.62),
    "green": (0.18, 0.42, 0.28),
    "red": (0.68, 0.14, 0.12),
    "white": (0.88, 0.86, 0.82),
    "yellow": (0.90, 0.70, 0.20),
}
_FRUIT: dict[str, Color] = {"apple": (0.74, 0.14, 0.10), "pear": (0.66, 0.68, 0.22), "lemon": (0.95, 0.80, 0.16)}
_FRUIT_SHAPES: dict[str, tuple[float, list[tuple[float, float]]]] = {  # height, then (height, half width) knots
    "apple": (0.135, [(0.0, 0.03), (0.12, 0.062), (0.45, 0.080), (0.8, 0.062), (1.0, 0.03)]),
    "pear": (0.19, [(0.0, 0.010), (0.08, 0.026), (0.35, 0.042), (0.68, 0.078), (0.9, 0.066), (1.0, 0.03)]),
    "lemon": (0.115, [(0.0, 0.02), (0.15, 0.055), (0.5, 0.078), (0.85, 0.058), (1.0, 0.022)]),
}
_WALLS = ("6b6258", "4d5a60", "7a5c48", "39424c", "8a8070", "5a4a50")


def paint(plan: Plan, frame: Frame, light: Light, rng: Generator) -> list[Layer]:
    """Paint the scene as layers from back to front."""
    wall = _WALLS[int(rng.integers(len(_WALLS)))]
    color = tuple(int(wall[i : i + 2], 16) / 255 for i in (0, 2, 4))
    lamp = light._replace(y=0.1)
    table = 0.62 if frame.size < 1.4 else 0.72
    foot = {0: 0.80, 1: 0.86, 2: 1.0}[int(frame.size > 0.6) + int(frame.size > 1.4)]
    back = _room((color[0], color[1], color[2]), table, lamp, rng)
    glaze = _GLAZE[plan.hue]
    x, size = frame.x, frame.size
    vessel, handle = _vessel(plan, x, foot, size)
    side = 1.0 if x < 0.5 or (x == 0.5 and plan.side == "left") else -1.0
    beside = x + side * 0.25 * size
    things = [(x, 0.13 * size, foot), (beside, 0.085 * size, foot + 0.045 * size)]
    layers = [_shadows(back, things, lamp)]
    if handle is not None:
        layers.append(Layer(_lit(flat(tint(glaze, 0.85)), inflate(handle, 4), lamp, 0.3), handle, 0.0))
    layers.append(_glazed(plan, vessel, glaze, lamp, rng))
    layers += _companion(plan, frame._replace(x=beside, y=foot + 0.045 * size), lamp, rng)
    return layers


def _room(wall: Color, table: float, lamp: Light, rng: Generator) -> Layer:
    """A plastered wall lit from one side, and a wooden table top."""
    plaster = cloud(rng, 1.5) * np.float32(0.025) + cloud(rng, 2.3, 8) * np.float32(0.04)
    falloff = np.exp(-np.hypot(X - np.float32(lamp.x), (Y - 0.15) * 0.9) * 1.6)
    bright = (0.32 + 0.95 * falloff * (0.45 + 0.55 * lamp.strength)).astype(np.float32) + plaster
    backdrop = flat(wall) * bright[..., None] * rgb(lamp.sun) * np.float32(1.25)
    depth = np.clip((Y - np.float32(table)) / np.float32(1 - table), 0, 1)
    grain = cloud(rng, 1.3, 150, 0.12)
    wood = ((0.42, 0.27, 0.16), (0.58, 0.46, 0.34), (0.25, 0.17, 0.12), (0.70, 0.68, 0.64))[int(rng.integers(4))]
    boards = (
        flat(wood)
        * (np.float32(0.75) + grain * np.float32(0.10) + (falloff * 0.75).astype(np.float32))[..., None]
        * rgb(lamp.sun)
    )
    edge = step(table - 0.004, table + 0.004, Y)
    picture = mix(backdrop, boards * (np.float32(0.8) + np.float32(0.3) * depth)[..., None], edge)
    away = np.where(table > Y, 0.9, np.abs(depth - 0.6) * 0.7).astype(np.float32)
    return Layer(picture, None, away)


def _shadows(room: Layer, things: list[tuple[float, float, float]], lamp: Light) -> Layer:
    """Cast soft shadows away from the lamp, dark where things touch the table."""
    picture = room.picture
    direction = 1.0 if lamp.x < 0.5 else -1.0
    for x, width, foot in things:
        long = mask([oval(x + direction * width * 1.5, foot - 0.01, width * 2.0, width * 0.34, -0.06 * direction)])
        contact = mask([oval(x + direction * width * 0.15, foot - 0.004, width * 1.15, width * 0.26)])
        dark = np.clip(
            blur(long, 8) * np.float32(0.5 * lamp.strength + 0.1) + blur(contact, 4) * np.float32(0.5), 0, 0.85
        )
        picture = picture * (1 - dark)[..., None]
    return Layer(picture, None, room.away)


def _profile(knots: list[tuple[float, float]]) -> Callable[[Field], Field]:
    """A smooth half width through (height, width) knots."""
    curve = np.asarray(spline(knots, closed=False, steps=12))
    return lambda t: np.interp(t, curve[:, 0], curve[:, 1]).astype(np.float32)


def _vessel(plan: Plan, x: float, foot: float, size: float) -> tuple[Surface, Field | None]:
    """The vessel's surface, and the silhouette of its handle and spout."""
    knots: dict[str, tuple[float, list[tuple[float, float]]]] = {
        "bottle": (
            0.60,
            [
                (0, 0.030),
                (0.03, 0.034),
                (0.05, 0.027),
                (0.28, 0.028),
                (0.42, 0.078),
                (0.5, 0.088),
                (0.96, 0.086),
                (1, 0.078),
            ],
        ),
        "vase": (
            0.50,
            [(0, 0.070), (0.05, 0.060), (0.16, 0.044), (0.45, 0.115), (0.62, 0.120), (0.92, 0.062), (1, 0.068)],
        ),
        "teapot": (
            0.32,
            [
                (0, 0.012),
                (0.06, 0.018),
                (0.11, 0.010),
                (0.16, 0.050),
                (0.24, 0.075),
                (0.5, 0.130),
                (0.72, 0.128),
                (0.94, 0.075),
                (1, 0.080),
            ],
        ),
        "jug": (
            0.44,
            [(0, 0.068), (0.06, 0.062), (0.25, 0.058), (0.55, 0.104), (0.78, 0.106), (0.96, 0.078), (1, 0.082)],
        ),
    }
    tall, points = knots[plan.variant]
    tall *= size
    top = foot - tall
    surface = lathe(_profile([(t, width * size) for t, width in points]), x, top, foot)
    turn = 1.0 if plan.side == "left" else -1.0
    if plan.variant == "jug":
        loop = spline(
            [
                (x + turn * 0.055 * size, top + 0.1 * tall),
                (x + turn * 0.16 * size, top + 0.16 * tall),
                (x + turn * 0.165 * size, top + 0.45 * tall),
                (x + turn * 0.10 * size, top + 0.62 * tall),
            ],
            closed=False,
        )
        lip = spline(
            [
                (x - turn * 0.05 * size, top),
                (x - turn * 0.105 * size, top - 0.012 * size),
                (x - turn * 0.05 * size, top + 0.12 * tall),
            ]
        )
        return surface, mask([stroke(loop, 0.014 * size, 0.012 * size), lip])
    if plan.variant == "teapot":
        loop = spline(
            [
                (x + turn * 0.10 * size, top + 0.36 * tall),
                (x + turn * 0.20 * size, top + 0.34 * tall),
                (x + turn * 0.21 * size, top + 0.62 * tall),
                (x + turn * 0.11 * size, top + 0.80 * tall),
            ],
            closed=False,
        )
        spout = spline(
            [
                (x - turn * 0.10 * size, top + 0.72 * tall),
                (x - turn * 0.17 * size, top + 0.56 * tall),
                (x - turn * 0.19 * size, top + 0.30 * tall),
                (x - turn * 0.225 * size, top + 0.24 * tall),
            ],
            closed=False,
        )
        return surface, mask([stroke(loop, 0.013 * size, 0.013 * size), stroke(spout, 0.035 * size, 0.012 * size)])
    return surface, None


def _lit(albedo: Field, surface: Surface, lamp: Light, shine: float) -> Field:
    """Shade a surface: ambient light, the lamp, light bounced from the table, and a highlight."""
    direct = diffuse(surface, lamp.direction) * np.float32(0.45 + 0.6 * lamp.strength)
    bounce = np.clip(surface.y, 0, 1) * np.float32(0.18) + np.float32(0.16 + 0.3 * (1 - lamp.strength))
    picture = albedo * (direct[..., None] * rgb(lamp.sun) + bounce[..., None])
    window = gloss(surface, lamp.direction, 60) + gloss(surface, lamp.direction, 12) * np.float32(0.15)
    return picture + (window * np.float32(shine))[..., None] * rgb(lamp.sun)


def _glazed(plan: Plan, vessel: Surface, glaze: Color, lamp: Light, rng: Generator) -> Layer:
    if plan.variant == "bottle":  # glass: dark in the middle, light caught at both edges
        rim = np.clip(1 - vessel.z, 0, 1) ** np.float32(1.5)
        body = mix(tint(glaze, 0.35), between(glaze, lamp.sun, 0.45), np.clip(rim + 0.12 * (X - np.float32(0.5)), 0, 1))
        spark = gloss(vessel, lamp.direction, 90) + gloss(vessel, (-lamp.direction[0], 0.1, 0.5), 50) * np.float32(0.35)
        return Layer(body + spark[..., None] * rgb(lamp.sun), vessel.cover, 0.0)
    speckle = np.clip(1 + cloud(rng, 0.9) * 0.05 + cloud(rng, 1.9, 12) * 0.05, 0.7, 1.2).astype(np.float32)
    albedo = flat(glaze) * speckle[..., None]
    if rng.random() < 0.4:  # a band of bare clay at the foot
        top = float(rng.uniform(0.05, 0.12))
        foot = float(np.nonzero(vessel.cover.max(axis=1) > 0.5)[0].max()) / len(Y)
        albedo = mix(albedo, (0.62, 0.45, 0.32), step(foot - top, foot - top + 0.012, Y))
    return Layer(_lit(albedo, vessel, lamp, 0.65), vessel.cover, 0.0)


def _companion(plan: Plan, at: Frame, lamp: Light, rng: Generator) -> list[Layer]:
    """The fruit or the cup beside the vessel; `at` is where its foot stands."""
    return _cup(at, lamp) if plan.extra == "cup" else _fruit(plan.extra, at, lamp, rng)


def _cup(at: Frame, lamp: Light) -> list[Layer]:
    x, foot, size, _ = at
    white = flat((0.92, 0.90, 0.86))
    knots = [(0, 0.075 * size), (0.5, 0.070 * size), (0.9, 0.045 * size), (1, 0.05 * size)]
    cup = lathe(_profile(knots), x, foot - 0.13 * size, foot)
    ear = [(0.06, 0.11), (0.115, 0.1), (0.1, 0.045), (0.05, 0.04)]
    curve = spline([(x + dx * size, foot - dy * size) for dx, dy in ear], closed=False)
    loop = mask([stroke(curve, 0.008 * size, 0.008 * size)])
    tea = mask([oval(x, foot - 0.128 * size, 0.070 * size, 0.013 * size)])
    body = mix(_lit(white, cup, lamp, 0.5), (0.28, 0.14, 0.06), tea)
    handle = Layer(_lit(white, inflate(loop, 3), lamp, 0.2), loop, 0.05)
    return [handle, Layer(body, np.maximum(cup.cover, tea), 0.05)]


def _fruit(name: str, at: Frame, lamp: Light, rng: Generator) -> list[Layer]:
    x, foot, size, _ = at
    tall, knots = _FRUIT_SHAPES[name]
    top = foot - tall * size
    fruit = lathe(_profile([(t, width * size) for t, width in knots]), x, top, foot)
    color = _FRUIT[name]
    if name == "lemon":
        return [Layer(_lit(flat(color), fruit, lamp, 0.45), fruit.cover, 0.05)]
    blush = np.clip(cloud(rng, 1.8, 30) * 0.25 + 0.25, 0, 1)
    skin = mix(color, between(color, (0.85, 0.62, 0.2), 0.6), blush)
    curve = [(x + dx * size, top + dy * size) for dx, dy in ((0.0, 0.012), (0.008, -0.015), (0.02, -0.03))]
    stalk = mask([stroke(curve, 0.005 * size, 0.004 * size)])
    return [Layer(_lit(skin, fruit, lamp, 0.45), fruit.cover, 0.05), Layer(flat((0.22, 0.14, 0.08)), stalk, 0.05)]
