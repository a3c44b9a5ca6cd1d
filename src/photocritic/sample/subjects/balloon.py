"""A hot air balloon over hills, over fog, or with a second one."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.framing import Frame
from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.grid import Color, Field, Y, between, flat, mix, rgb, step
from photocritic.sample.canvas.layering import Layer, lay
from photocritic.sample.canvas.noise import line
from photocritic.sample.canvas.relief import Surface, diffuse, gloss, lathe
from photocritic.sample.canvas.shapes import mask, spline, stroke
from photocritic.sample.outdoors.land import field, mist, slope
from photocritic.sample.outdoors.sky import sky
from photocritic.sample.scene_plan import Plan

HUES: dict[str, Color] = {
    "red": (0.82, 0.12, 0.10),
    "yellow": (0.97, 0.78, 0.14),
    "blue": (0.14, 0.34, 0.74),
    "orange": (0.95, 0.48, 0.10),
    "green": (0.14, 0.50, 0.30),
}
_SECOND: tuple[Color, ...] = ((0.97, 0.95, 0.90), (0.98, 0.80, 0.25), (0.15, 0.22, 0.42))


def paint(plan: Plan, frame: Frame, light: Light, rng: Generator) -> list[Layer]:
    """Paint the scene as layers from back to front."""
    sunlit = light._replace(x=min(max(light.x, 0.12), 0.88))
    ground = 0.80 if frame.size < 1.4 else 0.93
    picture = sky(sunlit, rng, ground, 0.08 if plan.composition == "negative_space" else float(rng.uniform(0.1, 0.45)))
    if plan.composition != "negative_space":
        picture = _land(picture, plan, ground, sunlit, rng)
    else:
        picture = _land(picture, plan, 0.94, sunlit, rng)
    if plan.extra == "second":
        hue = plan.hue if rng.random() < 0.3 else list(HUES)[int(rng.integers(len(HUES)))]
        x = 1 - frame.x + 0.12 * (1 if frame.x <= 0.5 else -1)
        other = frame._replace(x=x, y=0.30, size=0.30 * min(frame.size, 1))
        picture = mix(lay(picture, _balloon(plan, HUES[hue], other, sunlit, rng)), sunlit.haze, 0.06)
    y = 0.42 if frame.size > 0.6 else 0.50
    return [Layer(picture, None, 0.5), _balloon(plan, HUES[plan.hue], frame._replace(y=y), sunlit, rng)]


def _land(picture: Field, plan: Plan, ground: float, light: Light, rng: Generator) -> Field:
    greens: list[tuple[float, Color]] = [
        (0.0, (0.36, 0.44, 0.28)),
        (0.2, (0.22, 0.32, 0.20)),
        (0.5, (0.14, 0.22, 0.13)),
    ]
    for order, away in enumerate((0.75, 0.45, 0.15)):
        ridge = (ground - 0.03 + order * 0.05 + 0.018 * line(rng, 1.9)).astype(np.float32)
        stops = [(place, between(color, light.haze, away)) for place, color in greens]
        picture = lay(picture, slope(ridge, light, rng, stops, 0.12))
        if plan.extra == "fog":
            picture = mist(picture, light.horizon, ground + 0.03 + order * 0.06, 0.045, 0.8, rng=rng)
    if plan.extra != "fog":
        top = (ground + 0.11 + 0.01 * line(rng, 1.9)).astype(np.float32)
        near = field(light, rng, top, (0.10, 0.16, 0.05), (0.50, 0.55, 0.24))
        picture = lay(picture, near)
    return picture


def _balloon(plan: Plan, color: Color, at: Frame, light: Light, rng: Generator) -> Layer:
    """The envelope with its gores, the ropes and the basket."""
    x, y, size, _ = at
    half = 0.25 * size
    top, mouth = y - 1.02 * half, y + 1.28 * half
    curve = np.asarray(
        spline(
            [
                (0.0, 0.0),
                (0.015, 0.26),
                (0.12, 0.74),
                (0.30, 0.97),
                (0.44, 1.0),
                (0.62, 0.82),
                (0.82, 0.46),
                (1.0, 0.17),
            ],
            closed=False,
            steps=12,
        )
    )
    envelope = lathe(
        lambda t: np.interp(t, curve[:, 0], curve[:, 1]).astype(np.float32) * np.float32(half), x, top, mouth
    )
    picture = _cloth(plan, color, envelope, (Y - np.float32(top)) / np.float32(mouth - top), rng)
    gores = np.abs(np.sin(np.arctan2(envelope.x, np.maximum(envelope.z, 1e-3)) * 12))
    lit = (
        np.float32(0.40)
        + diffuse(envelope, light.direction) * np.float32(0.35 + 0.5 * light.strength)
        + np.float32(0.25 * (1 - light.strength))
    )
    glow = np.clip((Y - np.float32(y)) / np.float32(1.3 * half), 0, 1) * np.float32(0.18)
    shade = (lit + glow) * (np.float32(0.86) + np.float32(0.14) * np.clip(gores * 2.5, 0, 1))
    picture = (
        picture * shade[..., None] * rgb(light.sun)
        + (gloss(envelope, light.direction, 8) * np.float32(0.16))[..., None]
    )
    basket_top, basket_foot, wide = mouth + 0.22 * half, mouth + 0.44 * half, 0.15 * half
    ropes = mask(
        [
            stroke([(x + s * 0.16 * half, mouth), (x + s * wide, basket_top + 0.02 * half)], 0.0022, 0.0022)
            for s in (-1, -0.35, 0.35, 1)
        ]
    )
    basket = lathe(lambda t: np.float32(wide) * (1 - np.float32(0.12) * t), x, basket_top, basket_foot)
    weave = np.float32(0.7) + np.float32(0.3) * np.abs(np.sin(Y * np.float32(60 / max(size, 0.2))))
    wicker = (
        flat((0.46, 0.30, 0.16))
        * ((np.float32(0.3) + diffuse(basket, light.direction) * np.float32(0.8)) * weave)[..., None]
    )
    picture = mix(picture, (0.15, 0.12, 0.10), ropes * (1 - envelope.cover))
    picture = mix(picture, wicker, basket.cover)
    return Layer(picture, np.maximum.reduce([envelope.cover, ropes * np.float32(0.8), basket.cover]), 0.0)


def _cloth(plan: Plan, color: Color, envelope: Surface, height: Field, rng: Generator) -> Field:
    """The pattern of the envelope: gores run from pole to mouth, rings around it."""
    other = _SECOND[int(rng.integers(len(_SECOND)))]
    around = np.arctan2(envelope.x, np.maximum(envelope.z, 1e-3)) / np.float32(np.pi)
    gore = np.floor(around * 8 + np.float32(0.5)) % 2
    if plan.variant == "striped":
        share = gore
    elif plan.variant == "checked":
        share = (gore + np.floor(height * 7)) % 2 * ((height > 0.14) & (height < 0.86))
    else:
        share = step(0.38, 0.40, height) * step(0.52, 0.50, height)
    return mix(color, other, share.astype(np.float32))
