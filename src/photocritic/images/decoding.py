"""From the bytes of an image to upright RGB, whatever the bytes are: an image, or one line that says why not."""

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError

from photocritic.core.errors import UnreadableImage
from photocritic.core.limits import IMAGE_PIXELS
from photocritic.images.formats import FORMATS, register, transposition
from photocritic.images.phash import phash

Pixels = NDArray[np.uint8]

_WHITES = (1, 255, 4_095, 65_535)  # of floats, and of integers of 8, 12 and 16 bits
_DARKEST = 1 / 16  # of white: where nothing is lighter, another white is meant
_ROWS = 256  # of a transparent image that are laid on white at once, as each needs its colours three times over
_SHOWN = 200  # characters of a decoder's own message
_ADDRESS = re.compile(r"\s*<[^>]*0x[0-9a-f]+>")

warnings.filterwarnings("ignore", module=r"PIL\.")  # of odd metadata, which is never used; sizes are checked here


class OutOfMemory(UnreadableImage):
    """An image that takes more memory than this process may have, or has left."""


@dataclass(frozen=True, slots=True)
class Header:
    """What an image's first bytes say: its format as Pillow names it, and its size in pixels as it is stored."""

    format: str
    width: int
    height: int

    @property
    def pixels(self) -> int:
        """The number of pixels."""
        return self.width * self.height


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is known of an image that was decoded whole: its header, and its perceptual hash (`phash.phash`)."""

    header: Header
    phash: int


def measure(data: bytes, formats: tuple[str, ...] = FORMATS) -> Header:
    """Read an image's header, and decode nothing; of the formats `PLAIN` the first bytes are enough."""
    with opened(data, formats) as image:
        return _header(image)


def inspect(data: bytes) -> Inspection:
    """Decode an image whole and check that it can be made RGB."""
    with opened(data) as image:
        image.load()
        _rgb(image.crop((0, 0, 1, 1)))  # what this mode and this palette need, without doing it for all pixels
        return Inspection(_header(image), phash(image))


def decode(data: bytes) -> Image.Image:
    """Decode an image.

    Parameters
    ----------
    data : bytes
        The encoded image, of a format in `FORMATS`; of several frames the first counts.

    Returns
    -------
    PIL.Image.Image
        In RGB and upright, without metadata; transparency is laid on white, and numbers without a fixed white are
        scaled so that the picture can be seen.

    Raises
    ------
    UnreadableImage
        The bytes are no readable image; as every function here.
    """
    with opened(data) as image:
        found = _upright(image)
        return found.copy() if found is image else found


def square(data: bytes, side: int) -> Pixels:
    """Decode an image, scale its short side, and cut out the square in the middle.

    Parameters
    ----------
    data : bytes
        As in `decode`.
    side : int
        Side of the square in pixels.

    Returns
    -------
    ndarray of uint8, (side, side, 3)
        Red, green and blue.
    """
    with opened(data) as image:
        image.draft("RGB", (side, side))  # a JPEG is scaled down while it is decoded, by 2, 4 or 8
        fitted = ImageOps.fit(_upright(image), (side, side), Image.Resampling.BICUBIC, centering=(0.5, 0.5))
        return np.asarray(fitted)


def thumbnail(data: bytes, side: int, quality: int) -> bytes:
    """Encode an image anew as a JPEG of `side` pixels at most, upright, of its metadata only the colours' profile."""
    with opened(data) as image:
        profile = image.info.get("icc_profile") if image.mode == "RGB" else None
        image.draft("RGB", (2 * side, 2 * side))
        small = _upright(image).copy()
        small.thumbnail((side, side))
        small.info.clear()  # a comment would be written again
        buffer = io.BytesIO()
        small.save(buffer, "JPEG", quality=quality, optimize=True, icc_profile=profile)
        return buffer.getvalue()


@contextmanager
def opened(data: bytes, formats: tuple[str, ...] = FORMATS) -> Iterator[ImageFile.ImageFile]:
    """Open an image whose size is within the limits; any error in the block becomes UnreadableImage."""
    register()
    ImageFile.LOAD_TRUNCATED_IMAGES = False  # another library may have switched it on for the whole process
    try:
        with Image.open(io.BytesIO(data), formats=formats) as image:
            if not 0 < image.width * image.height <= IMAGE_PIXELS:
                raise UnreadableImage(_wrong_size(image.width, image.height))
            yield image
    except UnreadableImage:
        raise
    except MemoryError:
        raise OutOfMemory("unreadable image: it takes more memory than there is") from None
    except Exception as error:  # Pillow raises almost anything on damaged files; none may end a run
        if "out of memory" in str(error):
            raise OutOfMemory("unreadable image: it takes more memory than there is") from None
        raise UnreadableImage(_reason(error, data)) from None


def _wrong_size(width: int, height: int) -> str:
    if width * height < 1:
        return "unreadable image: it has no pixels"
    return f"image too large: {width} x {height} pixels are more than {IMAGE_PIXELS:,}"


def _reason(error: Exception, data: bytes) -> str:
    if isinstance(error, Image.DecompressionBombError):  # Pillow's own limit is twice as high
        return f"image too large: more than {IMAGE_PIXELS:,} pixels"
    if isinstance(error, UnidentifiedImageError):
        known = ", ".join(FORMATS)
        return f"unreadable image: {f'not a known image format (known are {known})' if data else 'empty file'}"
    message = " ".join(_ADDRESS.sub("", str(error)).split())[:_SHOWN]
    return f"unreadable image: {message if message.isprintable() and message else type(error).__name__}"


def _header(image: ImageFile.ImageFile) -> Header:
    return Header(image.format or "", image.width, image.height)


def _upright(image: Image.Image) -> Image.Image:
    """Load an image and return it in RGB, turned as its EXIF orientation asks; perhaps the same object."""
    image.load()
    method = transposition(image)
    found = _rgb(image)
    return found if method is None else found.transpose(method)


def _rgb(image: Image.Image) -> Image.Image:
    if image.mode in {"I", "F"} or image.mode.startswith("I;16"):  # Pillow would clip these to 255
        return _scaled(image).convert("RGB")
    if image.mode in {"RGBA", "LA", "PA", "RGBa", "La"} or "transparency" in image.info:
        return _on_white(image)
    if image.mode == "RGB":
        return image
    try:
        return image.convert("RGB")
    except ValueError:  # Pillow knows no way from some colour spaces; the first band of those is lightness
        return image.getchannel(0).convert("RGB")


def _on_white(image: Image.Image) -> Image.Image:
    found = Image.new("RGB", image.size)
    for top in range(0, image.height, _ROWS):
        rows = image.crop((0, top, image.width, min(top + _ROWS, image.height)))
        layer = rows.convert("RGBA")
        found.paste(Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer).convert("RGB"), (0, top))
    return found


def _scaled(image: Image.Image) -> Image.Image:
    """Make a picture of 8 bits of one whose numbers have no fixed white."""
    values = np.asarray(image)
    finite = np.isfinite(values)
    low = float(values.min(where=finite, initial=0))
    high = float(values.max(where=finite, initial=low))
    white = next((white for white in _WHITES if low == 0 and white * _DARKEST <= high <= white), high)
    if white == _WHITES[-1] and np.issubdtype(values.dtype, np.integer):
        return Image.fromarray((values >> 8).astype(np.uint8))
    scaled = values.astype(np.float32)
    np.nan_to_num(scaled, copy=False, nan=low, posinf=high, neginf=low)
    factor = 255 / max(white - low, 1e-30)
    scaled *= factor
    scaled -= low * factor
    return Image.fromarray(np.clip(scaled, 0, 255, out=scaled).round(out=scaled).astype(np.uint8))
