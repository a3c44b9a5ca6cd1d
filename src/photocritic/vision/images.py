"""From the bytes of an image file to a small square of pixels, as cheaply as its format allows."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from photocritic.errors import CorpusError

MARGIN = 1.15  # stored squares are this much larger than what the network trains on, to leave room for cropping

Pixels = NDArray[np.uint8]


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
    """Give the side in pixels of the stored square for a network trained at `image_size`."""
    return round(image_size * MARGIN)


def decode(content: bytes, size: int) -> Pixels:
    """Decode an image, scale its short side, and cut out the square in the middle.

    Parameters
    ----------
    content : bytes
        An image file of any format that Pillow reads; the first frame counts, transparency is laid on white, the
        camera's orientation is applied.
    size : int
        Side of the square in pixels.

    Returns
    -------
    ndarray of uint8, (size, size, 3)
        Red, green and blue.

    Raises
    ------
    CorpusError
        The bytes are no readable image.
    """
    try:
        with Image.open(io.BytesIO(content)) as image:
            image.draft("RGB", (size, size))  # a JPEG is scaled down while it is decoded, by 2, 4 or 8
            small = ImageOps.fit(
                _as_rgb(ImageOps.exif_transpose(image)), (size, size), Image.Resampling.BICUBIC, centering=(0.5, 0.5)
            )
            return np.asarray(small)
    except UnidentifiedImageError:  # Pillow would name the address of the bytes in memory
        raise CorpusError("not a readable image (of no known format)") from None
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise CorpusError(f"not a readable image ({' '.join(str(error).split())})") from None


def decode_readable(images: Sequence[Path | bytes], size: int) -> Squares:
    """Decode image files, or their contents, passing over those that cannot be read; `size` as in `decode`."""
    squares, readable, unreadable = [], [], {}
    for position, image in enumerate(images):
        try:
            squares.append(decode(image if isinstance(image, bytes) else image.read_bytes(), size))
            readable.append(position)
        except (CorpusError, OSError) as error:
            unreadable[position] = str(error)
    pixels = np.stack(squares) if squares else np.zeros((0, size, size, 3), dtype=np.uint8)
    return Squares(pixels, readable, unreadable)


def _as_rgb(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I;16"):  # Pillow would clip 16-bit greys to white
        grey = (np.asarray(image, dtype=np.uint16) >> 8).astype(np.uint8)
        return Image.fromarray(grey).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        layer = image.convert("RGBA")
        white = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(white, layer).convert("RGB")
    return image.convert("RGB")
