"""What filters may ask of the comments' photographs: size, format, labels, fingerprints."""

from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from photocritic import tables


class Picture(NamedTuple):
    """A photograph as the images table knows it.

    Attributes
    ----------
    width, height : int
        Pixels; 0 where only text is at hand.
    format : str
        Pillow's name; empty where only text is at hand.
    split : str
        train, val or test.
    labels : list of str
        The corpus's own class labels.
    phash : int or None
        Perceptual hash of 64 bits; photographs that look alike differ in few. None where only text is at hand.
    """

    width: int
    height: int
    format: str
    split: str
    labels: list[str]
    phash: int | None


_COLUMNS = ["image_id", *Picture._fields]
_UNKNOWN = Picture(0, 0, "", "train", [], None)


class Pictures:
    """The images table, looked up by image; read when it is first asked.

    Parameters
    ----------
    path : Path or None
        The images table; without one nothing is known of any image.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def of(self, image_id: str) -> Picture:
        """Give what is known of an image."""
        return self._known.get(image_id, _UNKNOWN)

    @cached_property
    def _known(self) -> dict[str, Picture]:
        if self._path is None:
            return {}
        known: dict[str, Picture] = {}
        for batch in tables.scan("images", self._path, _COLUMNS):
            columns = (batch.column(name).to_pylist() for name in _COLUMNS)
            known |= {name: Picture(*values) for name, *values in zip(*columns, strict=True)}
        return known
