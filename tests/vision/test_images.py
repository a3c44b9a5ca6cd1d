"""Any picture becomes a square of RGB, upright and from its middle, or an error of one line."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from photocritic.errors import CorpusError
from photocritic.vision.images import decode


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 300), st.integers(1, 300), st.sampled_from(["JPEG", "PNG", "GIF", "WEBP"]))
def test_any_shape_becomes_a_square(width: int, height: int, kind: str) -> None:
    assert decode(encoded(Image.new("RGB", (width, height)), kind), 37).shape == (37, 37, 3)


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "CMYK", "I;16"])
def test_every_mode_keeps_white_white(mode: str) -> None:
    image = Image.fromarray(np.full((8, 8), 65535, np.uint16)) if mode == "I;16" else Image.new("RGB", (8, 8), "white")
    image = image if mode == "I;16" else image.convert(mode)
    assert (decode(encoded(image, "TIFF" if mode == "CMYK" else "PNG"), 8) == 255).all()


def test_transparency_is_laid_on_white() -> None:
    assert (decode(encoded(Image.new("RGBA", (8, 8), (0, 0, 0, 0)), "PNG"), 8) == 255).all()


def test_the_middle_is_cut_out() -> None:
    array = np.zeros((10, 30, 3), np.uint8)
    array[:, 10:20] = 255
    assert (decode(encoded(Image.fromarray(array), "PNG"), 10) > 200).all()


def test_the_cameras_orientation_is_applied() -> None:
    array = np.zeros((16, 16, 3), np.uint8)
    array[:8] = 255
    exif = Image.Exif()
    exif[0x0112] = 3  # upside down
    square = decode(encoded(Image.fromarray(array), "PNG", exif=exif), 16)
    assert square[0].mean() < 50 < 200 < square[-1].mean()


@given(st.binary(max_size=100))
def test_junk_is_an_error_of_one_line(content: bytes) -> None:
    with pytest.raises(CorpusError) as caught:
        decode(content, 8)
    assert "\n" not in str(caught.value)
