"""Image files as small squares of pixels, decoded by worker processes with limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from photocritic.core.errors import UnreadableImage
from photocritic.images.decoding import Pixels
from photocritic.images.decoding_pool import shared
from photocritic.images.messages import Operation, Task

MARGIN = 1.15  # stored squares are this much larger than what the network trains on, to leave room for cropping


@dataclass(frozen=True)
class Squares:
    """Those of some images that could be read.

    Attributes
    ----------
    pixels : ndarray of uint8, (N, S, S, 3)
        A square for each readable image.
    readable : list of int
        Positions of the squares' images among those given.
    unreadable : dict of int to str
        Why an image has no square, by its position.
    """

    pixels: Pixels
    readable: list[int]
    unreadable: dict[int, str]


def stored_size(image_size: int) -> int:
    """Return the side in pixels of the stored square for a network trained at `image_size`."""
    return round(image_size * MARGIN)


def decode_readable(images: Sequence[Path | bytes], size: int) -> Squares:
    """Decode image files, or their contents, and pass over those that cannot be read.

    Parameters
    ----------
    images : sequence of Path or bytes
        Of any format that is read (`photocritic.images`).
    size : int
        Side of the squares in pixels.

    Returns
    -------
    Squares
        The middle of each image, its short side scaled to `size`, in the order of the images.
    """
    squares, readable, unreadable = [], [], {}
    for position, decoded in enumerate(shared().map(images, lambda image: image, Task(Operation.SQUARE, size))):
        if isinstance(decoded.answer, np.ndarray):
            squares.append(decoded.answer)
            readable.append(position)
        elif isinstance(decoded.answer, UnreadableImage):
            unreadable[position] = str(decoded.answer)
    pixels = np.stack(squares) if squares else np.zeros((0, size, size, 3), dtype=np.uint8)
    return Squares(pixels, readable, unreadable)
