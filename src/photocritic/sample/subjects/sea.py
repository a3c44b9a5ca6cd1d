"""The sea, with a sailboat, a lighthouse, rocks or a pier."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.framing import Frame
from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.grid import Color, Field, X, Y, between, flat, mix, rgb, step
from photocritic.sample.canvas.layering import Layer, covering, lay, over
from photocritic.sample.canvas.noise import cloud, line
from photocritic.sample.canvas.relief import diffuse, inflate, lathe
from photocritic.sample.canvas.shapes import below, disc, mask, spline
from photocritic.sample.outdoors.sky import sky
from photocritic.sample.outdoors.water import water
from photocritic.sample.scene_plan import Plan


def paint(plan: Plan, frame: Frame, light: Light, rng: Generator) -> list[Layer]:
    """Paint the scene as layers from back to front."""
    horizon = frame.horizon
    picture = sky(light, rng, horizon, 0.12 if plan.composition == "negative_space" else None)
    if rng.random() < 0.5:  # a distant coast
        coast = below(horizon - 0.012 - 0.012 * np.clip(line(rng, 1.5) + (X[0] - 0.5) * 3, 0, 3))
        picture = mix(picture, between(light.haze, light.shade, 0.35), coast * np.float32(0.85))
    standing = _STANDING.get(plan.extra)
    if standing:
        picture = over(picture, *standing(frame, light, rng))
    rough = float(rng.uniform(0.75, 1.0) if plan.variant == "waves" else rng.uniform(0.1, 0.3))
    tint = (0.04, 0.22, 0.27) if rng.random() < 0.5 else (0.05, 0.15, 0.25)
    picture = water(picture, horizon, light, rng, rough=rough, tint=between(tint, light.shade, 0.25))
    if plan.variant == "waves":
        picture = _breakers(picture, horizon, light, rng)
    layers = [Layer(picture, None, 0.4)]
    near = _NEAR.get(plan.extra)
    if near:
        layers.append(near(frame, light, rng))
    return layers


def _breakers(picture: Field, horizon: float, light: Light, rng: Generator) -> Field:
    """Foaming crests that grow toward the viewer."""
    foam = cloud(rng, roughness=1.1, finest=150, stretch=0.6)
    patches = cloud(rng, roughness=1.8, finest=12, stretch=0.5)
    white = between(light.sun, (1.0, 1.0, 1.0), 0.5)
    for share in (0.16, 0.40, 0.78):
        y = horizon + (1 - horizon) * (share + float(rng.uniform(-0.06, 0.06)))
        crest = y + (0.004 + 0.035 * share) * line(rng, 1.7, lowest=2)
        depth = (Y - crest[None, :].astype(np.float32)) / np.float32(0.008 + 0.09 * share)
        here = step(-0.5, 0.7, patches + float(rng.uniform(-0.3, 0.3)))
        froth = step(0.0, 0.25, depth) * np.exp(-np.maximum(depth, 0) * 1.7) * step(-1.2, 0.8, foam + 0.9 - depth * 1.2)
        hollow = step(-2.2, 0.0, depth) * step(0.2, 0.0, depth) * here
        picture = mix(picture, between(light.shade, (0.02, 0.2, 0.24), 0.6), hollow * np.float32(0.5))
        picture = mix(picture, white, np.clip(froth * here * (0.35 + 0.5 * light.strength), 0, 1).astype(np.float32))
        patches = np.roll(patches, int(rng.integers(320)), axis=1)
    return picture


def _sailboat(frame: Frame, light: Light, rng: Generator) -> tuple[Field, Field]:
    x, line_, size = frame.x, frame.horizon + 0.012, 0.30 * frame.size
    lean = float(rng.uniform(-0.06, 0.06)) * size
    mast = (x + lean, line_ - size)
    main = spline(
        [(x + 0.02 * size, line_ - 0.1 * size), mast, (x + 0.42 * size, line_ - 0.12 * size)], closed=True, steps=2
    )
    jib = [
        (x - 0.03 * size, line_ - 0.1 * size),
        (mast[0] - 0.02 * size, mast[1] + 0.1 * size),
        (x - 0.32 * size, line_ - 0.11 * size),
    ]
    hull = [
        (x - 0.4 * size, line_ - 0.075 * size),
        (x + 0.46 * size, line_ - 0.085 * size),
        (x + 0.34 * size, line_ + 0.01),
        (x - 0.3 * size, line_ + 0.01),
    ]
    sails, body = mask([main, jib]), mask([hull])
    canvas = between((0.97, 0.96, 0.92), light.sun, 0.35)
    shading = np.clip(0.72 + (X - np.float32(x)) / np.float32(size) * np.sign(light.x - x) * 0.8, 0.35, 1.05).astype(
        np.float32
    )
    picture = mix(flat(canvas) * shading[..., None], between((0.35, 0.08, 0.07), light.shade, 0.3), body)
    pole = mask(
        [
            [
                (x - 0.004, line_ - 0.08 * size),
                (mast[0] - 0.003, mast[1] - 0.02),
                (mast[0] + 0.003, mast[1] - 0.02),
                (x + 0.005, line_ - 0.08 * size),
            ]
        ]
    )
    return mix(picture, (0.2, 0.16, 0.14), pole), np.maximum(np.maximum(sails, body), pole)


def _lighthouse(frame: Frame, light: Light, rng: Generator) -> tuple[Field, Field]:
    x, size = frame.x, 0.42 * frame.size
    foot = frame.horizon - 0.06 * frame.size
    top = foot - size * 0.8
    tower = lathe(lambda t: (0.06 + 0.0275 * t) * size, x, top, foot)
    bands = np.floor((Y - np.float32(top)) / np.float32(size * 0.16)) % 2
    red = (0.72, 0.13, 0.11) if rng.random() < 0.7 else (0.95, 0.94, 0.9)
    lit = 0.35 * rgb(light.haze) + 0.9 * diffuse(tower, light.direction)[..., None] * rgb(light.sun)
    picture: Field = mix((0.95, 0.94, 0.9), red, bands) * lit
    lantern = lathe(lambda t: (0.022 + 0.036 * np.minimum(t * 2.2, 1.0)) * size, x, top - size * 0.15, top)
    wide = 0.085 * size
    gallery = mask(
        [[(x - wide, top - 0.012), (x + wide, top - 0.012), (x + wide, top + 0.004), (x - wide, top + 0.004)]]
    )
    picture = mix(picture, (0.12, 0.1, 0.1), np.maximum(lantern.cover, gallery))
    picture = mix(picture, (1.0, 0.9, 0.6), disc(x, top - size * 0.06, 0.017 * frame.size, 0.006))
    cliff = _cliff(frame, light, rng)
    return lay(picture, cliff), np.maximum.reduce([tower.cover, lantern.cover, gallery, covering(cliff)])


def _cliff(frame: Frame, light: Light, rng: Generator) -> Layer:
    """The headland that a lighthouse stands on, falling off toward the middle of the picture."""
    side = 1.0 if frame.x > 0.5 else -1.0
    rise = 1 / (1 + np.exp(-(X[0] - frame.x) * side * 9 / frame.size - 1.8))
    edge = frame.horizon + 0.012 - (0.10 * frame.size + 0.008 * line(rng, 1.1, lowest=5)) * rise
    rock = np.clip(0.4 + cloud(rng, roughness=1.1) * 0.25, 0, 1)
    return Layer(mix((0.16, 0.14, 0.12), (0.46, 0.41, 0.34), rock) * rgb(light.sun), below(edge))


def _rocks(frame: Frame, light: Light, rng: Generator) -> Layer:
    cover = np.zeros_like(X)
    for _ in range(7):
        x, y = (
            frame.x + float(rng.normal(0, 0.16)) * frame.size,
            min(frame.horizon + 0.12 + abs(float(rng.normal(0, 0.13))), 1.0),
        )
        width, height = float(rng.uniform(0.06, 0.14)) * frame.size, float(rng.uniform(0.05, 0.13)) * frame.size
        angles = np.linspace(0, np.pi, 9)
        outline = [
            (float(x - width * np.cos(a)), float(y - height * np.sin(a) * rng.uniform(0.7, 1.1))) for a in angles
        ]
        cover = np.maximum(cover, mask([spline([*outline, (x, y + 0.012)], steps=4)]))
    texture = cloud(rng, roughness=1.2)
    surface = inflate(np.clip(cover * (0.86 + 0.14 * np.tanh(texture)), 0, 1).astype(np.float32), 7)
    wet = np.clip(0.25 + diffuse(surface, light.direction) * 0.75 + texture * 0.09, 0, 1.2).astype(np.float32)
    return Layer(mix((0.06, 0.06, 0.07), (0.52, 0.46, 0.4), wet) * rgb(light.sun), cover, 0.0)


def _pier(frame: Frame, light: Light, rng: Generator) -> Layer:
    vanish_x, vanish_y = frame.x, frame.horizon + 0.015
    depth = np.maximum((Y - np.float32(vanish_y)) / np.float32(1 - vanish_y), np.float32(1e-3))
    half = np.float32(0.02) + depth * np.float32(0.30)
    across = (X - np.float32(vanish_x)) / half
    deck = step(1.02, 0.98, np.abs(across)) * step(0.03, 0.05, depth)
    distance = 1 / (depth + np.float32(0.06))
    joints = step(0.0, 0.16, np.abs((distance * np.float32(7)) % 1 - np.float32(0.5)))
    grain = cloud(rng, roughness=1.0, finest=120, stretch=0.2)
    wood = np.clip(
        0.5 + grain * 0.1 + 0.2 * light.strength - 0.25 * (1 - joints) * np.clip(depth * 3, 0, 1), 0, 1
    ).astype(np.float32)
    posts = []
    for share in (0.09, 0.16, 0.27, 0.45, 0.74):
        for sign in (-1, 1):
            x, y = vanish_x + sign * (0.02 + share * 0.31), vanish_y + share * (1 - vanish_y)
            wide, tall = 0.004 + 0.02 * share, 0.02 + 0.2 * share
            posts.append(
                [(x - wide, y - tall), (x + wide, y - tall), (x + wide, y + tall * 0.5), (x - wide, y + tall * 0.5)]
            )
    standing = mask(posts)
    picture = mix((0.12, 0.09, 0.07), (0.66, 0.53, 0.40), wood) * rgb(light.sun)
    dark: Color = (0.10, 0.08, 0.07)
    return Layer(mix(picture, dark, standing), np.maximum(deck, standing), 0.0)


_STANDING = {"sailboat": _sailboat, "lighthouse": _lighthouse}
_NEAR = {"rocks": _rocks, "pier": _pier}
