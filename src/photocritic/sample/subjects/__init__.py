"""One file a subject; each paints its scene as layers from back to front."""

from collections.abc import Callable, Mapping

from numpy.random import Generator

from photocritic.sample.camera.framing import Frame
from photocritic.sample.camera.light import Light
from photocritic.sample.canvas.layering import Layer
from photocritic.sample.scene_plan import Plan
from photocritic.sample.subjects import (
    animal,
    balloon,
    city_night,
    desert,
    flower,
    forest,
    mountains,
    portrait,
    sea,
    still_life,
)

Painter = Callable[[Plan, Frame, Light, Generator], list[Layer]]

PAINTERS: Mapping[str, Painter] = {
    "mountains": mountains.paint,
    "sea": sea.paint,
    "portrait": portrait.paint,
    "flower": flower.paint,
    "city_night": city_night.paint,
    "still_life": still_life.paint,
    "animal": animal.paint,
    "forest": forest.paint,
    "desert": desert.paint,
    "balloon": balloon.paint,
}

__all__ = ["PAINTERS", "Painter"]
