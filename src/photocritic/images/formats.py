"""Which image formats are read, and what files of them are called."""

from functools import cache
from importlib import import_module

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
