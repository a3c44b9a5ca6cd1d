"""How a camera was held, from an image's metadata."""

from PIL import ExifTags, Image

_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}  # what shows an image as its EXIF orientation asks; 1: as it is


def transposition(image: Image.Image) -> Image.Transpose | None:
    """Return what turns a loaded image upright, or None where it is, or where its metadata are damaged."""
    try:
        return _UPRIGHT.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # Pillow raises almost anything on damaged metadata, which is no damage to the image
        return None
