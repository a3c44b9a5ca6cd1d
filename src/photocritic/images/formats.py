"""Which image formats are read, what files of them are called, and how their metadata say a camera was held."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

# No format whose decoder starts another program, as that of EPS does. MPO, of two lenses, is read as its first JPEG.
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM", "HEIF")
PLAIN = ("JPEG", "PNG", "GIF", "BMP", "PPM")  # whose headers stand in front and are read without decoding
SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff"}
    | {".ppm", ".pgm", ".pbm", ".pnm", ".heic", ".heif", ".hif"}
)


@cache
def register() -> None:
    """Make Pillow know every format of `FORMATS`, and none of their options that decode more than the image."""
    for name in ("Bmp", "Gif", "Jpeg", "Png", "Ppm", "Tiff", "WebP"):
        import_module(f"PIL.{name}ImagePlugin")
    from pillow_heif import register_heif_opener

    # One thread, as images are decoded side by side. An embedded thumbnail is not the image.
    register_heif_opener(decode_threads=1, thumbnails=False, depth_images=False, aux_images=False)


def transposition(image: "Image.Image") -> "Image.Transpose | None":
    """Return what turns a loaded image upright, or None where it is, or where its metadata are damaged."""
    from PIL import ExifTags, Image

    turn = Image.Transpose
    upright = {
        2: turn.FLIP_LEFT_RIGHT,
        3: turn.ROTATE_180,
        4: turn.FLIP_TOP_BOTTOM,
        5: turn.TRANSPOSE,
        6: turn.ROTATE_270,
        7: turn.TRANSVERSE,
        8: turn.ROTATE_90,
    }  # what shows an image as its EXIF orientation asks; 1: as it is
    try:
        return upright.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # Pillow raises almost anything on damaged metadata, which is no damage to the image
        return None
