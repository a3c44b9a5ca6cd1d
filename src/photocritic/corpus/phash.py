"""Perceptual hashes: photographs that look alike differ in few of 64 bits."""

import numpy as np
from PIL import Image

_SIDE = 32  # pixels of the small grey copy; as in Zauner's pHash
_KEPT = 8  # low frequencies of each direction; the very lowest, the mean brightness of lines, are left out
_NOISE = 1e-6  # a picture of one colour has no frequencies but the arithmetic's own


def phash(picture: Image.Image) -> int:
    """Give the perceptual hash of a decoded image.

    Parameters
    ----------
    picture : PIL.Image.Image
        In any mode.

    Returns
    -------
    int
        64 bits as a signed number (two's complement), which is what a table's column holds: a bit is set where a low
        frequency of the image, by discrete cosine transform, is above the median of them all.

    References
    ----------
    C. Zauner, "Implementation and benchmarking of perceptual image hash functions", 2010, section 3.2.1.
    """
    from scipy.fft import dctn

    frequencies = dctn(_small_and_grey(picture), norm="ortho")[1 : _KEPT + 1, 1 : _KEPT + 1]
    bits = frequencies - np.median(frequencies) > _NOISE
    return int(np.packbits(bits).view(">i8")[0])


def _small_and_grey(picture: Image.Image) -> np.ndarray:
    if picture.mode in {"P", "PA", "1"}:
        picture = picture.convert("RGB")
    elif picture.mode.startswith("I;16"):
        picture = picture.convert("I")
    small = picture.resize((_SIDE, _SIDE), Image.Resampling.BOX)
    if small.mode in {"L", "I", "F"}:
        return np.asarray(small, np.float64)
    try:
        grey = small.convert("L")
    except ValueError:  # Pillow knows no way from some colour spaces; the first band of those is lightness
        grey = small.getchannel(0)
    return np.asarray(grey, np.float64)
