"""A blossom close up, in front of a garden."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.focus import bokeh
from photocritic.sample.camera.framing import Frame
from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.dabs import leaf, window
from photocritic.sample.canvas.grid import SIDE, Color, Field, X, Y, between, flat, mix, ramp, rgb, step, tint
from photocritic.sample.canvas.layering import Layer, blur, over
from photocritic.sample.canvas.noise import cloud
from photocritic.sample.canvas.relief import diffuse, gloss, inflate
from photocritic.sample.canvas.shapes import disc, mask, oval, spline, stroke
from photocritic.sample.scene_plan import Plan

HUES: dict[str, Color] = {
    "white": (0.96, 0.95, 0.93),
    "red": (0.82, 0.10, 0.10),
    "yellow": (0.98, 0.80, 0.12),
    "pink": (0.95, 0.52, 0.66),
    "purple": (0.56, 0.30, 0.72),
    "orange": (0.97, 0.52, 0.12),
}


def paint(plan: Plan, frame: Frame, light: Light, rng: Generator) -> list[Layer]:
    """Paint the scene as layers from back to front."""
    at = frame._replace(y=frame.y - 0.05, size=0.32 * frame.size)
    layers = [Layer(_garden(plan, light, rng), None, 1.0)]
    if plan.extra == "grass":
        layers.append(_grass(light, rng))
    layers.append(_stem(at, light, rng))
    if plan.extra == "buds":
        layers.append(_buds(plan, at, light, rng))
    layers.append(_tulip(plan, at, light) if plan.variant == "tulip" else _rosette(plan, at, light, rng))
    if plan.extra == "dew":
        layers.append(_dew(layers[-1], light, rng))
    return layers


def _garden(plan: Plan, light: Light, rng: Generator) -> Field:
    """Leaves behind the blossom; they are only a soft green where the depth of field is shallow."""
    base = ((0.20, 0.34, 0.14), (0.15, 0.30, 0.24), (0.30, 0.36, 0.16), (0.22, 0.24, 0.30))[int(rng.integers(4))]
    soft = cloud(rng, roughness=2.2, finest=10)
    level = np.clip(0.45 + 0.2 * soft + (0.4 - Y) * 0.3, 0, 1).astype(np.float32)
    picture = mix(tint(base, 0.35), between(tint(base, 1.7), light.horizon, 0.3), level) * rgb(light.sun)
    if plan.focus == "shallow_depth":
        colors = [between(tint(base, 2.2), light.sun, 0.5), light.sun, between(HUES[plan.hue], light.sun, 0.3)]
        return bokeh(picture, rng, colors, 16, 0.085)
    for _ in range(26):
        length, turn = float(rng.uniform(0.12, 0.3)), float(rng.uniform(0, 6.28))
        x, y = float(rng.uniform(-0.1, 1.1)), float(rng.uniform(-0.1, 1.1))
        green = between(base, (0.40, 0.54, 0.18), 0.2 + float(rng.random()) * 0.7)
        leaf(picture, tint(green, float(rng.uniform(0.6, 1.35))), x, y, length=length, turn=turn)
    return picture


def _stem(at: Frame, light: Light, rng: Generator) -> Layer:
    x, y, size, _ = at
    bend = float(rng.uniform(-0.12, 0.12))
    stalk = stroke(
        spline([(x, y), (x + bend * 0.3, y + size * 1.2), (x + bend, 1.15)], closed=False),
        0.035 * size + 0.004,
        0.05 * size + 0.004,
    )
    leaf_x, leaf_y = x + bend * 0.5, min(y + size * 1.55, 0.9)
    side = float(rng.choice([-1.0, 1.0]))
    leaf = spline(
        [
            (leaf_x, leaf_y + 0.06),
            (leaf_x + side * size * 0.5, leaf_y - size * 0.25),
            (leaf_x + side * size * 1.05, leaf_y - size * 0.38),
            (leaf_x + side * size * 0.7, leaf_y + size * 0.05),
        ]
    )
    cover = mask([stalk, leaf])
    shade = diffuse(inflate(cover, 4), light.direction)
    return Layer(mix((0.08, 0.18, 0.05), (0.42, 0.58, 0.22), shade) * rgb(light.sun), cover, 0.08)


def _rosette(plan: Plan, at: Frame, light: Light, rng: Generator) -> Layer:
    """Rings of petals around an eye, seen from the front and a little from the side."""
    x, y, size, _ = at
    count = {
        "daisy": int(rng.integers(13, 19)),
        "poppy": int(rng.integers(4, 6)),
        "sunflower": int(rng.integers(17, 23)),
    }[plan.variant]
    color = HUES[plan.hue]
    turn, squash = float(rng.uniform(0, 6.28)), float(rng.uniform(0.78, 1.0))
    across, down = X - np.float32(x), (Y - np.float32(y)) / np.float32(squash)
    radius = np.hypot(across, down) / np.float32(size)
    angle = np.arctan2(down, across)
    ruffle = cloud(rng, roughness=1.9, finest=20) * np.float32(0.05 if plan.variant == "poppy" else 0.015)
    picture, cover = flat(color), np.zeros_like(X)
    for ring, (shift, reach, bright) in enumerate(((0.5, 1.0, 0.72), (0.0, 0.94, 1.0))):
        petal = (angle + np.float32(turn)) / np.float32(2 * np.pi) * np.float32(count) + np.float32(shift)
        inside = petal - np.floor(petal) - np.float32(0.5)  # -0.5..0.5 across one petal
        shape = np.maximum(np.cos(inside * np.float32(np.pi)), 0) ** np.float32(
            0.35 if plan.variant == "poppy" else 0.6
        )
        edge = np.float32(reach) * (np.float32(0.62) + np.float32(0.38) * shape) + ruffle
        here = step(0.02, -0.02, radius - edge)
        fold = 1 - np.abs(inside) * np.float32(0.9)
        veins = np.cos(inside * np.float32(40 if plan.variant != "poppy" else 70)) * np.float32(0.035)
        lit = (np.cos(angle - np.float32(np.arctan2(-0.6, light.x - 0.5))) * 0.16 * light.strength + 0.86).astype(
            np.float32
        )
        depth = np.clip(np.float32(0.55) + radius * np.float32(0.55), 0, 1)
        shade = np.clip(fold * lit * depth * np.float32(bright * 1.14) + veins * radius, 0, 1.15)
        tip = mix(tint(color, 0.55), between(color, (1.0, 1.0, 1.0), 0.22), np.clip(radius, 0, 1))
        if ring == 1:
            seam = step(0.42, 0.5, np.abs(inside)) * step(0.25, 0.6, radius)
            shade = shade * (1 - seam * np.float32(0.5))
            cast = blur(here, 5)
            picture = picture * (1 - np.float32(0.35) * (cast * (1 - here)))[..., None]
        picture = mix(picture, tip * shade[..., None] * rgb(light.sun), here)
        cover = np.maximum(cover, here)
    return Layer(_eye(plan.variant, picture, radius, angle, rng, sun=light.sun), cover, 0.0)


def _eye(variant: str, picture: Field, radius: Field, angle: Field, rng: Generator, *, sun: Color) -> Field:
    """The eye of the blossom: a dome of tiny florets in the spiral of a sunflower."""
    width = {"daisy": 0.30, "poppy": 0.24, "sunflower": 0.46}[variant]
    dark = variant != "daisy"
    spiral = np.cos(angle * 13 + radius * np.float32(60)) * np.cos(angle * 21 - radius * np.float32(60))
    dome = np.sqrt(np.maximum(1 - (radius / np.float32(width)) ** 2, 0))
    stops: list[tuple[float, Color]] = (
        [(0.0, (0.09, 0.05, 0.03)), (0.6, (0.30, 0.17, 0.07)), (1.0, (0.62, 0.42, 0.16))]
        if dark
        else [(0.0, (0.55, 0.30, 0.03)), (0.6, (0.93, 0.68, 0.10)), (1.0, (1.0, 0.88, 0.35))]
    )
    level = np.clip(0.25 + dome * 0.45 + spiral * 0.22 + cloud(rng, 0.8) * 0.08, 0, 1).astype(np.float32)
    picture = picture * (1 - np.float32(0.4) * step(width * 1.45, width, radius))[..., None]
    return mix(picture, ramp(level, stops) * rgb(sun), step(width + 0.03, width - 0.03, radius))


def _tulip(plan: Plan, at: Frame, light: Light) -> Layer:
    """A cup of three visible petals."""
    x, y, size, _ = at
    color = HUES[plan.hue]
    s = size * 1.05
    left = spline(
        [
            (x, y + s),
            (x - 0.62 * s, y + 0.55 * s),
            (x - 0.72 * s, y - 0.2 * s),
            (x - 0.48 * s, y - 0.95 * s),
            (x - 0.1 * s, y - 0.35 * s),
        ]
    )
    right = spline(
        [
            (x, y + s),
            (x + 0.62 * s, y + 0.55 * s),
            (x + 0.72 * s, y - 0.2 * s),
            (x + 0.5 * s, y - 0.9 * s),
            (x + 0.1 * s, y - 0.35 * s),
        ]
    )
    back = spline(
        [
            (x - 0.35 * s, y),
            (x - 0.28 * s, y - 0.8 * s),
            (x, y - 1.05 * s),
            (x + 0.28 * s, y - 0.8 * s),
            (x + 0.35 * s, y),
        ]
    )
    front = spline(
        [
            (x, y + 1.02 * s),
            (x - 0.44 * s, y + 0.6 * s),
            (x - 0.40 * s, y - 0.1 * s),
            (x, y - 0.82 * s),
            (x + 0.40 * s, y - 0.1 * s),
            (x + 0.44 * s, y + 0.6 * s),
        ]
    )
    picture, cover = flat(color), np.zeros_like(X)
    for outline, bright in ((back, 0.55), (left, 0.8), (right, 0.74), (front, 1.0)):
        petal = mask([outline])
        surface = inflate(petal, 10)
        height = np.clip((np.float32(y + s) - Y) / np.float32(2 * s), 0, 1)
        veins = np.cos((X - np.float32(x)) / np.float32(s) * np.float32(64)) * np.float32(0.018)
        shade = np.clip(0.42 + diffuse(surface, light.direction) * 0.75 + veins, 0, 1.2) * np.float32(bright)
        tone = mix(between(color, (0.75, 0.75, 0.35), 0.45), between(color, (1.0, 1.0, 1.0), 0.12), height)
        picture = picture * (1 - np.float32(0.3) * blur(petal, 6) * cover)[..., None]
        picture = over(picture, tone * shade.astype(np.float32)[..., None] * rgb(light.sun), petal)
        cover = np.maximum(cover, petal)
    return Layer(picture, cover, 0.0)


def _buds(plan: Plan, at: Frame, light: Light, rng: Generator) -> Layer:
    x, y, size, _ = at
    outlines = []
    for sign in (-1, 1):
        bx, by = x + sign * float(rng.uniform(1.2, 1.5)) * size, y + float(rng.uniform(0.3, 1.0)) * size
        outlines.append(oval(bx, by, 0.16 * size, 0.24 * size, sign * 0.3))
        outlines.append(
            stroke(
                spline([(bx, by + 0.1 * size), (bx - sign * 0.2 * size, by + size), (x, 1.2)], closed=False),
                0.02 * size,
                0.04 * size,
            )
        )
    cover = mask(outlines)
    tips = mask(outlines[::2])
    shade = diffuse(inflate(cover, 5), light.direction)
    green = mix((0.08, 0.18, 0.06), (0.40, 0.55, 0.24), shade)
    colored = mix(tint(HUES[plan.hue], 0.45), HUES[plan.hue], shade)
    return Layer(mix(green, colored, tips * np.float32(0.75)) * rgb(light.sun), cover, 0.3)


def _grass(light: Light, rng: Generator) -> Layer:
    blades = []
    for _ in range(34):
        x, lean, top = float(rng.uniform(-0.1, 1.1)), float(rng.uniform(-0.2, 0.2)), float(rng.uniform(0.35, 0.8))
        blades.append(
            stroke(spline([(x, 1.1), (x + lean * 0.3, 0.5 + top / 2), (x + lean, top)], closed=False), 0.008, 0.001)
        )
    cover = mask(blades)
    level = np.clip(1.15 - Y + cloud(rng, 1.2) * 0.1, 0, 1).astype(np.float32)
    return Layer(mix((0.10, 0.20, 0.06), (0.55, 0.68, 0.28), level) * rgb(light.sun), cover, 0.55)


def _dew(blossom: Layer, light: Light, rng: Generator) -> Layer:
    """Water drops on the petals: dark toward the light, bright away from it, with a spark."""
    drops = np.zeros_like(X)
    rows, columns = (
        np.nonzero(blossom.cover[::8, ::8] > 0.9) if blossom.cover is not None else (np.zeros(0), np.zeros(0))
    )
    for _ in range(14 if len(rows) else 0):
        pick, radius = int(rng.integers(len(rows))), float(rng.uniform(0.009, 0.02))
        x, y = float(columns[pick] * 8) / SIDE + float(rng.uniform(0, 0.02)), float(rows[pick] * 8) / SIDE
        part = window(x, y, radius + 0.006)
        drops[part] = np.maximum(drops[part], disc(x, y, radius, 0.005, part))
    surface = inflate(drops, 4, 1.5)
    shade = np.clip(1.25 - diffuse(surface, light.direction) * 0.75, 0.5, 1.3).astype(np.float32)
    wet = blossom.picture * shade[..., None] + gloss(surface, light.direction, 30)[..., None]
    return Layer(wet, drops, 0.0)
