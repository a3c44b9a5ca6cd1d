"""Perceptual hashes: photographs that look alike differ in few of 64 bits."""

import numpy as np
from PIL import ExifTags, Image

_SIDE = 32  # pixels of the small grey copy; as in Zauner's pHash
_KEPT = 8  # low frequencies of each direction; the very lowest, the mean brightness of lines, are left out
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}  # what shows an image as its EXIF orientation asks; 1: as it is
_NOISE = 1e-6  # a picture of one colour has no frequencies but the arithmetic's own


def phash(picture: Image.Image) -> int:
    """Give the perceptual hash of a decoded image.

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
    from scipy.fft import dctn

    frequencies = dctn(_small_and_grey(picture), norm="ortho")[1 : _KEPT + 1, 1 : _KEPT + 1]
    bits = frequencies - np.median(frequencies) > _NOISE
    return int(np.packbits(bits).view(">i8")[0])


def _small_and_grey(picture: Image.Image) -> np.ndarray:
    method = _UPRIGHT.get(_orientation(picture))
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


def _orientation(picture: Image.Image) -> int:
    try:
        found = picture.getexif().get(ExifTags.Base.Orientation, 1)
    except Exception:  # Pillow raises almost anything on damaged metadata, which is no damage to the image
        return 1
    return found if isinstance(found, int) else 1
