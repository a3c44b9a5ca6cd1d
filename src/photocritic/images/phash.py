"""Perceptual hashes: photographs that look alike differ in few of 64 bits."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from photocritic.images.formats import transposition

_SIDE = 32  # pixels of the small grey copy; as in Zauner's pHash
_KEPT = 8  # low frequencies of each direction; the very lowest, the mean brightness of lines, are left out
_NOISE = 1e-6  # a picture of one colour has no frequencies but the arithmetic's own


def phash(picture: Image.Image) -> int:
    """Compute the perceptual hash of a decoded image.

    Parameters
    ----------
    picture : PIL.Image.Image
        In any mode. It is turned as its EXIF orientation asks, so that two images which look the same have one hash.

    Returns
    -------
    int
        64 bits as a signed number (two's complement), which is what a table's column holds: a bit is set where a low
        frequency of the image, by discrete cosine transform, is above the median of them all.

    References
    ----------
    C. Zauner, "Implementation and benchmarking of perceptual image hash functions", 2010, section 3.2.1.
    """
    with np.errstate(invalid="ignore"):  # of floats that are no numbers
        frequencies = _cosines() @ _small_and_grey(picture) @ _cosines().T
    bits = frequencies - np.median(frequencies) > _NOISE
    return int(np.packbits(bits).view(">i8")[0])


def _small_and_grey(picture: Image.Image) -> NDArray[np.float64]:
    method = transposition(picture)
    if picture.mode in {"P", "PA", "1"}:
        picture = picture.convert("RGB")
    elif picture.mode.startswith("I;16"):
        picture = picture.convert("I")
    small = picture.resize((_SIDE, _SIDE), Image.Resampling.BOX)
    if method is not None:  # the copy is square, so that it may be turned in place of the image, which costs nothing
        small = small.transpose(method)
    if small.mode in {"L", "I", "F"}:
        return np.asarray(small, np.float64)
    try:
        grey = small.convert("L")
    except ValueError:  # Pillow knows no way from some colour spaces; the first band of those is lightness
        grey = small.getchannel(0)
    return np.asarray(grey, np.float64)


@cache
def _cosines() -> NDArray[np.float64]:
    """Return the kept rows of the orthonormal DCT-II: a product of small matrices, without the import of scipy."""
    frequency, place = np.arange(1, _KEPT + 1)[:, None], np.arange(_SIDE)[None]
    waves: NDArray[np.float64] = (2 / _SIDE) ** 0.5 * np.cos(np.pi * frequency * (2 * place + 1) / (2 * _SIDE))
    return waves
