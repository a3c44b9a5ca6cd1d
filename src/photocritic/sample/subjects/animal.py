"""An animal's shape in the open: cat, bird, deer, swan or elephant."""

import numpy as np
from numpy.random import Generator

from photocritic.sample.camera.framing import Frame
from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.grid import Color, Field, X, Y, between, mix, rgb, step, tint
from photocritic.sample.canvas.layering import Layer, over
from photocritic.sample.canvas.noise import cloud, line
from photocritic.sample.canvas.relief import diffuse, inflate
from photocritic.sample.canvas.shapes import Point, mask, oval, place, spline, stroke
from photocritic.sample.outdoors.land import field, mist
from photocritic.sample.outdoors.sky import sky
from photocritic.sample.outdoors.water import water
from photocritic.sample.scene_plan import Plan
from photocritic.sample.subjects.fauna import SHAPES

_COATS: dict[str, tuple[Color, ...]] = {
    "cat": ((0.16, 0.14, 0.15), (0.62, 0.36, 0.16), (0.48, 0.46, 0.46)),
    "bird": ((0.20, 0.32, 0.50), (0.45, 0.28, 0.18), (0.62, 0.20, 0.12)),
    "deer": ((0.52, 0.33, 0.19), (0.42, 0.28, 0.18)),
    "swan": ((0.95, 0.95, 0.93),),
    "elephant": ((0.44, 0.41, 0.39), (0.46, 0.38, 0.32)),
}


def paint(plan: Plan, frame: Frame, light: Light, rng: Generator) -> list[Layer]:
    """Paint the scene as layers from back to front."""
    flip = plan.side == "right"
    size = {"cat": 0.52, "bird": 0.5, "deer": 0.62, "swan": 0.5, "elephant": 0.62}[plan.variant] * frame.size
    ground = float(np.clip(frame.y + 0.47 * size, 0.6, 0.9)) if frame.size < 1.4 else 0.95

    def stand(outlines: list[list[Point]]) -> Field:
        return mask([place(outline, frame.x, ground - 0.45 * size, size, flip) for outline in outlines])

    shape = SHAPES[plan.variant]()
    cover = stand(shape.body)
    coat = _COATS[plan.variant][int(rng.integers(len(_COATS[plan.variant])))]
    body = _fur(cover, stand(shape.raised), coat, light, rng)
    body = mix(body, rgb(shape.horn) * rgb(light.sun), stand(shape.beak))
    body = mix(body, (0.03, 0.02, 0.02), stand(shape.eye))
    if plan.variant == "bird":
        return [_canopy(plan, light, rng), _branch(frame, ground, size, light, rng), Layer(body, cover, 0.0)]
    horizon = ground - 0.13 if plan.variant != "swan" else ground - 0.22
    back = sky(light, rng, horizon, 0.1 if plan.composition == "negative_space" else None)
    back = _treeline(back, horizon, light, rng, plan.composition != "negative_space")
    if plan.extra == "mist":
        back = mist(back, light.haze, horizon, 0.13, 0.85, rng=rng)
    if plan.variant == "swan":
        afloat = over(back, body, cover)
        pond = water(afloat, ground - 0.015, light, rng, rough=0.18, tint=(0.06, 0.13, 0.16))
        lake = water(back, horizon, light, rng, rough=0.2, tint=(0.06, 0.13, 0.16))
        under = mix(lake, pond, step(ground - 0.02, ground - 0.01, Y) * step(ground + 0.5 * size, ground, Y))
        return [Layer(under, None, 0.7), Layer(body, cover * step(ground - 0.01, ground - 0.016, Y), 0.0)]
    top = (horizon + 0.01 * line(rng, 1.6)).astype(np.float32)
    dry: tuple[Color, Color] = (
        ((0.30, 0.22, 0.08), (0.80, 0.66, 0.34))
        if plan.variant == "elephant"
        else ((0.10, 0.17, 0.05), (0.52, 0.58, 0.24))
    )
    meadow = field(light, rng, top, *dry)
    shadow = np.exp(
        -(
            (
                np.hypot(
                    (X - np.float32(frame.x)) / np.float32(0.42 * size),
                    (Y - np.float32(ground)) / np.float32(0.05 * size),
                )
            )
            ** 2
        )
    )
    meadow = Layer(
        meadow.picture * (1 - np.float32(0.6) * shadow)[..., None],
        meadow.cover,
        np.clip(np.abs(Y - np.float32(ground)) * 3, 0, 1),
    )
    return [Layer(back, None, 0.9), meadow, Layer(body, cover, 0.0), _blades(ground, dry, light, rng)]


def _fur(cover: Field, raised: Field, coat: Color, light: Light, rng: Generator) -> Field:
    """Round the silhouette and what lies raised on it, give it hair, and let the sun draw its outline."""
    surface = inflate(np.clip(cover * np.float32(0.72) + raised * np.float32(0.28), 0, 1), 11, 1.25)
    rim = diffuse(inflate(cover, 4, 1.4), (light.direction[0] * 1.5, -0.8, -0.2)) ** np.float32(1.3)
    hair = cloud(rng, 1.0, 140, 0.5) * np.float32(0.05) + cloud(rng, 1.8, 30) * np.float32(0.07)
    level = np.clip(0.22 + diffuse(surface, light.direction) * (0.45 + 0.4 * light.strength) + hair, 0, 1.1).astype(
        np.float32
    )
    if min(coat) > 0.9:  # white feathers never go dark
        level = level * np.float32(0.62) + np.float32(0.26)
    picture = mix(tint(coat, 0.28), between(coat, (1.0, 1.0, 1.0), 0.12), level) * rgb(
        between(light.sun, (1.0, 1.0, 1.0), 0.3)
    )
    return mix(picture, light.sun, np.clip(rim * light.strength * 0.8, 0, 1))


def _treeline(back: Field, horizon: float, light: Light, rng: Generator, tall: bool) -> Field:
    height = (0.07 if tall else 0.025) + 0.02 * line(rng, 1.1, lowest=3) + 0.012 * line(rng, 0.7, lowest=10)
    edge = horizon - np.maximum(height, 0.004)
    cover = step(-0.004, 0.004, Y - edge[None, :].astype(np.float32))
    leaves = np.clip(0.4 + cloud(rng, 1.1, 110) * 0.18, 0, 1).astype(np.float32)
    trees = mix(between((0.07, 0.12, 0.07), light.shade, 0.3), between((0.30, 0.38, 0.2), light.haze, 0.5), leaves)
    return mix(back, mix(trees, light.haze, 0.3), cover)


def _blades(ground: float, colors: tuple[Color, Color], light: Light, rng: Generator) -> Layer:
    """Blades of grass in front of the feet."""
    blades = []
    for _ in range(90):
        x, y = float(rng.uniform(-0.05, 1.05)), ground + 0.015 + float(rng.random()) ** 2 * 0.1
        lean, tall = float(rng.uniform(-0.04, 0.04)), float(rng.uniform(0.03, 0.075))
        blades.append(stroke([(x, y), (x + lean * 0.4, y - tall * 0.6), (x + lean, y - tall)], 0.003, 0.0005))
    level = np.clip(0.5 + cloud(rng, 1.0) * 0.25, 0, 1).astype(np.float32)
    return Layer(mix(*colors, level) * rgb(light.sun), mask(blades), 0.05)


def _canopy(plan: Plan, light: Light, rng: Generator) -> Layer:
    """What lies far behind a bird: leaves or open sky."""
    if plan.composition == "negative_space" or plan.extra == "mist":
        return Layer(mist(sky(light, rng, 1.0, 0.1), light.haze, 0.9, 0.4, 0.6, rng=rng), None, 1.0)
    soft = cloud(rng, 2.0, 14)
    green = mix(
        (0.10, 0.18, 0.10),
        between((0.50, 0.60, 0.30), light.horizon, 0.45),
        np.clip(0.5 + soft * 0.25 + (0.5 - Y) * 0.3, 0, 1),
    )
    picture = green * rgb(light.sun)
    if plan.focus != "shallow_depth":
        leaves = cloud(rng, 1.0, 70)
        picture = picture * (1 + np.clip(leaves, -1.5, 1.5) * np.float32(0.22))[..., None]
    return Layer(np.clip(picture, 0, 1), None, 1.0)


def _branch(frame: Frame, ground: float, size: float, light: Light, rng: Generator) -> Layer:
    y = ground - 0.10 * size
    bend = line(rng, 1.6, length=9) * np.float32(0.02)
    path = spline(
        [
            (float(t), float(y + b + (t - frame.x) * 0.08))
            for t, b in zip(
                np.linspace(-0.1, 1.1, 9), bend - np.interp(frame.x, np.linspace(-0.1, 1.1, 9), bend), strict=True
            )
        ],
        closed=False,
    )
    polygons = [stroke(path, 0.022 * frame.size + 0.004, 0.010 * frame.size + 0.003)]
    for _ in range(7):
        x = float(rng.uniform(0, 1))
        base = float(np.interp(x, [p[0] for p in path], [p[1] for p in path]))
        tip = (x + float(rng.uniform(-0.1, 0.1)), base + float(rng.uniform(-0.14, 0.12)))
        polygons.append(stroke([(x, base), ((x + tip[0]) / 2 + 0.01, (base + tip[1]) / 2), tip], 0.006, 0.002))
        polygons.append(oval(tip[0], tip[1], 0.03, 0.012, float(rng.uniform(0, 3))))
    cover = mask(polygons)
    bark = np.clip(0.25 + diffuse(inflate(cover, 4), light.direction) * 0.7 + cloud(rng, 1.1) * 0.12, 0, 1).astype(
        np.float32
    )
    return Layer(mix((0.08, 0.06, 0.05), (0.50, 0.40, 0.28), bark) * rgb(light.sun), cover, 0.05)
