"""A head and shoulders in profile against the light."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.focus import bokeh
from photocritic.sample.camera.framing import Frame
from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.grid import Field, X, Y, between, flat, mix, step, tint
from photocritic.sample.canvas.layering import Layer
from photocritic.sample.canvas.noise import cloud
from photocritic.sample.canvas.relief import diffuse, inflate
from photocritic.sample.canvas.shapes import Point, mask, oval, place, spline, stroke
from photocritic.sample.outdoors.sky import sky
from photocritic.sample.scene_plan import Plan

# Outlines in a unit box, the face looking right.
_FACE: list[Point] = [
    (0.40, 0.10), (0.50, 0.075), (0.59, 0.10), (0.645, 0.16), (0.668, 0.225), (0.672, 0.265), (0.662, 0.292),
    (0.690, 0.335), (0.716, 0.375), (0.703, 0.395), (0.680, 0.402), (0.693, 0.422), (0.690, 0.438), (0.679, 0.446),
    (0.689, 0.458), (0.683, 0.478), (0.668, 0.490), (0.676, 0.515), (0.660, 0.545), (0.610, 0.560), (0.560, 0.572),
    (0.545, 0.63), (0.565, 0.70),
]  # fmt: skip
_BODY: list[Point] = [
    (0.66, 0.75), (0.74, 0.84), (0.78, 1.0), (0.80, 1.5), (0.02, 1.5), (0.06, 1.0), (0.13, 0.84), (0.25, 0.755),
    (0.345, 0.70), (0.365, 0.60), (0.345, 0.50), (0.30, 0.40), (0.285, 0.30), (0.31, 0.19),
]  # fmt: skip
_SHAPE = {"woman": (1.0, 0.88), "man": (1.06, 1.12), "girl": (0.92, 0.78)}  # head size, width of the shoulders


def paint(plan: Plan, frame: Frame, light: Light, rng: Generator) -> list[Layer]:
    """Paint the scene as layers from back to front."""
    behind = _BACKDROPS[int(rng.integers(len(_BACKDROPS)))](light, rng)
    flip = plan.side == "right"
    figure, hair = _figure(plan, frame, flip, rng)
    surface = inflate(figure, 9, 1.2)
    rim_from = (-0.9 if flip else 0.9, -0.5, -0.15)
    toward_light = (1.0 if (light.x > 0.5) else -1.0, -0.4, 0.1)
    rim = np.clip(diffuse(surface, rim_from) * 0.5 + diffuse(surface, toward_light) * 0.6, 0, 1) ** np.float32(1.5)
    strands = cloud(rng, roughness=1.2, stretch=2.5)
    skin = mix(
        tint(light.shade, 0.32),
        between(light.shade, (0.45, 0.30, 0.25), 0.5),
        diffuse(surface, (0, -0.4, 0.8)) * np.float32(0.22),
    )
    picture = mix(skin, tint(light.shade, 0.18), hair * np.float32(0.8))
    lit = np.clip(rim * (0.75 + hair * strands * 0.18) * (0.35 + 0.65 * light.strength), 0, 1)
    picture = mix(picture, between(light.sun, (1.0, 0.86, 0.74), 0.3), lit.astype(np.float32))
    return [Layer(behind, None, 0.9), Layer(picture, figure, 0.0)]


def _figure(plan: Plan, frame: Frame, flip: bool, rng: Generator) -> tuple[Field, Field]:
    """Masks of the whole figure and of its hair (or hat)."""
    head, wide = _SHAPE[plan.variant]
    size = 0.92 * frame.size
    y = 0.52 if frame.size < 1.4 else 0.62
    if frame.size < 0.6:
        y = 1.0 - size * 0.5 + 0.03
    body = spline([*_FACE, *((0.5 + (px - 0.5) * (wide if py > 0.7 else 1.0), py) for px, py in _BODY)], steps=6)
    extra = [
        [(0.5 + (px - 0.5) * head, 0.56 + (py - 0.56) * head) for px, py in outline] for outline in _hair(plan, rng)
    ]
    placed = [place(body, frame.x, y, size, flip)]
    hair = mask([place(outline, frame.x, y, size, flip) for outline in extra])
    return np.maximum(mask(placed), hair), hair


def _hair(plan: Plan, rng: Generator) -> list[list[Point]]:
    cap = spline(
        [
            (0.63, 0.15),
            (0.60, 0.085),
            (0.50, 0.05),
            (0.38, 0.07),
            (0.29, 0.16),
            (0.262, 0.29),
            (0.285, 0.40),
            (0.36, 0.44),
            (0.43, 0.36),
            (0.50, 0.25),
            (0.58, 0.20),
        ]
    )
    if plan.extra == "bun":
        return [
            cap,
            oval(0.235, 0.135, 0.085, 0.08, 0.4),
            stroke([(0.30, 0.40), (0.33, 0.46), (0.335, 0.52)], 0.012, 0.002),
        ]
    if plan.extra == "hat":
        crown = spline(
            [(0.28, 0.19), (0.31, 0.03), (0.40, -0.02), (0.53, -0.015), (0.61, 0.04), (0.635, 0.17), (0.45, 0.2)]
        )
        brim = spline(
            [
                (0.10, 0.225),
                (0.28, 0.165),
                (0.45, 0.15),
                (0.64, 0.15),
                (0.83, 0.195),
                (0.64, 0.205),
                (0.45, 0.215),
                (0.27, 0.235),
            ]
        )
        return [crown, brim, spline([(0.30, 0.22), (0.285, 0.36), (0.33, 0.47), (0.40, 0.42), (0.42, 0.25)])]
    if plan.extra == "curls":
        curls = [cap]
        for _ in range(90):
            angle = float(rng.uniform(2.0, 5.75))
            reach = float(rng.uniform(0.08, 0.23))
            curls.append(
                oval(0.43 + reach * np.cos(angle), 0.25 + reach * np.sin(angle) * 1.02, *rng.uniform(0.022, 0.045, 2))
            )
        return curls
    if plan.extra == "long_hair":
        sway = float(rng.uniform(-0.04, 0.05))
        return [
            cap,
            spline(
                [
                    (0.36, 0.12),
                    (0.25, 0.25),
                    (0.20 - sway, 0.45),
                    (0.17 - sway, 0.68),
                    (0.19 - sway, 0.90),
                    (0.28, 0.93),
                    (0.37, 0.82),
                    (0.42, 0.62),
                    (0.44, 0.42),
                    (0.48, 0.28),
                ]
            ),
        ]
    return [cap]


def _evening_sky(light: Light, rng: Generator) -> Field:
    return sky(light, rng, float(rng.uniform(0.85, 1.1)))


def _lights(light: Light, rng: Generator) -> Field:
    warm, cold = (1.0, 0.74, 0.42), (0.55, 0.75, 1.0)
    base = mix(tint(light.middle, 0.75), tint(light.shade, 0.7), Y)
    base = base + cloud(rng, roughness=2.3, finest=8)[..., None] * np.float32(0.05)
    colors = [warm, light.sun, light.horizon, cold if light.strength < 0.95 else warm]
    blurred = bokeh(np.clip(base, 0, 1), rng, colors, 26, 0.075)
    return mix(blurred, light.sun, step(0.75, 0.0, np.hypot(X - np.float32(light.x), Y - 0.35)) * np.float32(0.5))


def _window(light: Light, rng: Generator) -> Field:
    wall = mix(tint(light.shade, 0.75), tint(light.shade, 0.35), X if light.x < 0.5 else 1 - X)
    center = 0.30 if light.x < 0.5 else 0.70
    pane = step(0.25, 0.235, np.abs(X - np.float32(center))) * step(0.43, 0.415, np.abs(Y - np.float32(0.42)))
    bars = np.maximum(
        step(0.014, 0.008, np.abs(X - np.float32(center))), step(0.014, 0.008, np.abs(Y - np.float32(0.40)))
    )
    outside = mix(
        light.horizon,
        between(light.middle, (0.55, 0.66, 0.5), 0.35),
        step(0.3, 0.95, Y + cloud(rng, 2.0, 12) * np.float32(0.08)),
    )
    spill = step(0.75, 0.1, np.hypot(X - np.float32(center), Y - 0.42)) * np.float32(0.45)
    lit = mix(flat((0, 0, 0)) + wall, light.sun, spill)
    return mix(lit, outside, pane * (1 - bars))


_BACKDROPS = (_evening_sky, _lights, _window)
