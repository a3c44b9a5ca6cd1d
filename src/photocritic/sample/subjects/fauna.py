"""The outlines of animals."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from photocritic.sample.canvas.grid import Color
from photocritic.sample.canvas.shapes import Point, oval, spline, stroke


class Shape(NamedTuple):
    """Outlines in a unit box, looking right: the body, what lies raised on it, beak or tusk with its color, the eye."""

    body: list[list[Point]]
    raised: list[list[Point]]
    beak: list[list[Point]]
    horn: Color
    eye: list[list[Point]]


_KERATIN: Color = (0.92, 0.62, 0.20)
_IVORY: Color = (0.93, 0.90, 0.80)


def _cat() -> Shape:
    body = spline(
        [
            (0.44, 0.36),
            (0.36, 0.46),
            (0.31, 0.62),
            (0.28, 0.80),
            (0.31, 0.95),
            (0.50, 0.97),
            (0.68, 0.95),
            (0.71, 0.80),
            (0.67, 0.62),
            (0.62, 0.46),
            (0.55, 0.36),
        ]
    )
    head = spline(
        [
            (0.36, 0.26),
            (0.40, 0.36),
            (0.50, 0.40),
            (0.60, 0.36),
            (0.64, 0.26),
            (0.60, 0.17),
            (0.50, 0.145),
            (0.40, 0.17),
        ]
    )
    ears = [[(0.365, 0.22), (0.375, 0.06), (0.475, 0.16)], [(0.635, 0.22), (0.625, 0.06), (0.525, 0.16)]]
    tail = stroke(
        spline([(0.66, 0.92), (0.80, 0.93), (0.89, 0.84), (0.86, 0.70), (0.92, 0.60)], closed=False), 0.035, 0.020
    )
    return Shape([body, head, *ears, tail], [head, *ears], [], _IVORY, [])


def _bird() -> Shape:
    body = spline(
        [
            (0.70, 0.26),
            (0.76, 0.32),
            (0.77, 0.42),
            (0.72, 0.60),
            (0.58, 0.74),
            (0.44, 0.78),
            (0.34, 0.76),
            (0.36, 0.66),
            (0.44, 0.52),
            (0.52, 0.38),
            (0.58, 0.28),
            (0.64, 0.245),
        ]
    )
    tail = [(0.42, 0.66), (0.08, 0.92), (0.13, 0.955), (0.17, 0.945), (0.46, 0.78)]
    beak = [(0.745, 0.29), (0.86, 0.325), (0.755, 0.36)]
    legs = [stroke([(0.55, 0.74), (0.57, 0.87)], 0.010, 0.009), stroke([(0.61, 0.72), (0.64, 0.87)], 0.010, 0.009)]
    wing = spline([(0.60, 0.42), (0.66, 0.50), (0.58, 0.64), (0.40, 0.74), (0.24, 0.80), (0.40, 0.60), (0.50, 0.46)])
    return Shape(
        [body, tail, beak, *legs], [wing], [beak, *legs], (0.75, 0.55, 0.25), [oval(0.705, 0.315, 0.017, 0.017)]
    )


def _deer() -> Shape:
    body = spline(
        [
            (0.20, 0.46),
            (0.28, 0.42),
            (0.45, 0.45),
            (0.60, 0.42),
            (0.68, 0.46),
            (0.68, 0.58),
            (0.58, 0.64),
            (0.40, 0.63),
            (0.26, 0.64),
            (0.19, 0.56),
        ]
    )
    neck = spline([(0.58, 0.46), (0.64, 0.34), (0.68, 0.24), (0.76, 0.24), (0.76, 0.34), (0.71, 0.48), (0.66, 0.56)])
    head = spline(
        [(0.68, 0.26), (0.71, 0.19), (0.77, 0.19), (0.86, 0.255), (0.875, 0.285), (0.84, 0.305), (0.76, 0.30)]
    )
    ear = spline([(0.70, 0.21), (0.64, 0.15), (0.61, 0.155), (0.65, 0.215)])
    legs = [
        stroke([(x, 0.58), (x + bend, 0.76), (x, 0.955)], 0.032, 0.012)
        for x, bend in ((0.24, -0.025), (0.31, -0.01), (0.59, 0.01), (0.65, 0.0))
    ]
    antlers = [
        stroke(spline([(0.72, 0.19), (0.69 + s, 0.10), (0.73 + s, 0.01)], closed=False), 0.010, 0.005)
        for s in (-0.05, 0.03)
    ]
    antlers += [
        stroke([(0.69 + s, 0.11), (0.69 + s + dx, 0.045)], 0.007, 0.004) for s in (-0.05, 0.03) for dx in (-0.05, 0.055)
    ]
    eye = oval(0.775, 0.235, 0.011, 0.011)
    return Shape([body, neck, head, ear, *legs, *antlers], [neck, head, *legs[1:3]], antlers, (0.45, 0.36, 0.26), [eye])


def _swan() -> Shape:
    body = spline(
        [
            (0.10, 0.80),
            (0.05, 0.70),
            (0.14, 0.70),
            (0.30, 0.58),
            (0.50, 0.56),
            (0.66, 0.62),
            (0.74, 0.74),
            (0.72, 0.86),
            (0.60, 0.94),
            (0.30, 0.94),
        ]
    )
    wing = spline([(0.08, 0.62), (0.20, 0.60), (0.38, 0.50), (0.54, 0.54), (0.58, 0.68), (0.40, 0.76), (0.20, 0.72)])
    neck = stroke(
        spline([(0.66, 0.76), (0.75, 0.62), (0.70, 0.46), (0.64, 0.32), (0.68, 0.19), (0.77, 0.18)], closed=False),
        0.062,
        0.032,
    )
    head = oval(0.785, 0.20, 0.052, 0.038, 0.35)
    beak = [(0.815, 0.195), (0.90, 0.255), (0.81, 0.245)]
    return Shape([body, wing, neck, head, beak], [wing, neck], [beak], _KERATIN, [oval(0.80, 0.195, 0.011, 0.011)])


def _elephant() -> Shape:
    body = spline(
        [
            (0.12, 0.48),
            (0.18, 0.32),
            (0.34, 0.25),
            (0.52, 0.28),
            (0.66, 0.32),
            (0.70, 0.50),
            (0.64, 0.66),
            (0.40, 0.70),
            (0.20, 0.68),
        ]
    )
    head = spline([(0.60, 0.30), (0.68, 0.20), (0.78, 0.20), (0.86, 0.30), (0.87, 0.44), (0.80, 0.54), (0.68, 0.54)])
    ear = spline([(0.62, 0.26), (0.54, 0.28), (0.50, 0.42), (0.54, 0.58), (0.62, 0.60), (0.68, 0.50)])
    trunk = stroke(
        spline([(0.84, 0.42), (0.90, 0.58), (0.885, 0.74), (0.87, 0.86), (0.92, 0.90)], closed=False), 0.055, 0.018
    )
    tusk = stroke(spline([(0.83, 0.52), (0.90, 0.60), (0.965, 0.58)], closed=False), 0.014, 0.004)
    legs = [[(x, 0.58), (x + 0.115, 0.58), (x + 0.105, 0.955), (x + 0.008, 0.955)] for x in (0.16, 0.30, 0.49, 0.60)]
    tail = stroke([(0.13, 0.44), (0.08, 0.56), (0.085, 0.68)], 0.012, 0.006)
    return Shape(
        [body, head, ear, trunk, tusk, *legs, tail],
        [ear, trunk, legs[1], legs[3]],
        [tusk],
        _IVORY,
        [oval(0.775, 0.34, 0.011, 0.011)],
    )


SHAPES: Mapping[str, Callable[[], Shape]] = {
    "cat": _cat,
    "bird": _bird,
    "deer": _deer,
    "swan": _swan,
    "elephant": _elephant,
}
