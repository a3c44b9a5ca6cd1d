"""Image files of every kind of badness, made where they are needed."""

import io
import struct
import zlib

from PIL import Image

DDS = b"DDS " + struct.pack("<I", 124) + bytes(120)  # Pillow raises NotImplementedError when it opens this


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


POSTSCRIPT = encoded(Image.new("RGB", (9, 9)), "EPS")  # Pillow starts Ghostscript to read this


def png(width: int, height: int) -> bytes:
    """Make a small RGBA PNG whose header promises a size that its data do not have."""
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def odd_exif(orientation: int = 6, tag: int = 0x100, kind: int = 2) -> bytes:
    """Make EXIF with an orientation, and a tag of a type that it must not have: Pillow cannot write it again."""
    entries = struct.pack(">HHIHH", 0x112, 3, 1, orientation, 0) + struct.pack(">HHII", tag, kind, 1, 0x41000000)
    return b"Exif\0\0MM\0*\0\0\0\x08" + struct.pack(">H", 2) + entries + bytes(24)


def plain_pgm(side: int) -> bytes:
    """Make an image of decimal numbers, which Pillow reads slowly."""
    return b"P2 %d %d 255\n" % (side, side) + b"7 " * side**2
