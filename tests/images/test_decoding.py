"""Any picture becomes a square of RGB, upright and from its middle, or an error of one line."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from photocritic.core.errors import CorpusError, UnreadableImage
from photocritic.images.decoding import Header, inspect, measure, thumbnail
from photocritic.images.decoding import decode as full
from photocritic.images.decoding import square as decode
from photocritic.images.formats import register
from tests.images.files import DDS, POSTSCRIPT, encoded, odd_exif, png


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


def test_a_damaged_or_odd_orientation_is_passed_over_and_a_sound_one_applied():  # H4
    upright = Image.new("RGB", (16, 16), "white")
    upright.paste("black", (0, 8, 16, 16))
    for tag in (0x100, 0x111, 0x8769, 0x8825, 0x9286):
        for kind in range(14):
            turned = decode(encoded(upright, "JPEG", exif=odd_exif(3, tag, kind)), 16)
            assert turned[0].mean() < 50 < 200 < turned[-1].mean(), (tag, kind)
    for damaged in (b"Exif\0\0MM\0*\0\0\0\x08\xff\xff", b"Exif\0\0nonsense", b"Exif\0\0", b""):
        assert decode(encoded(upright, "JPEG", exif=damaged), 16)[0].mean() > 200


def test_what_ingest_admits_becomes_a_square_and_nothing_else_does():  # H4
    rng = np.random.default_rng(0)
    for kind, options in (("JPEG", {"exif": odd_exif()}), ("PNG", {}), ("TIFF", {}), ("WEBP", {}), ("GIF", {})):
        whole = encoded(Image.effect_noise((40, 30), 80).convert("RGB"), kind, **options)
        for _ in range(150):
            damaged = bytearray(whole)
            for place in rng.integers(0, min(len(whole), 300), 3):
                damaged[place] = rng.integers(0, 256)
            assert _succeeds(inspect, bytes(damaged)) == _succeeds(lambda data: decode(data, 8), bytes(damaged))


def _succeeds(function, data):
    try:
        function(data)
    except UnreadableImage:
        return False
    return True


@pytest.mark.parametrize(
    "data",
    [DDS, POSTSCRIPT, b"", b"text", b"\x00\x00\x00\x1cftypavif", b"BM", b"\xff\xd8\xff", b"II*\0", b"P6", b"GIF89a"],
)
@pytest.mark.parametrize(
    "function", [inspect, measure, lambda data: decode(data, 8), lambda data: thumbnail(data, 8, 80)]
)
def test_what_is_no_known_image_is_a_reason_of_one_line(function, data):  # H4, M8
    with pytest.raises(UnreadableImage) as error:
        function(data)
    assert str(error.value).startswith("unreadable image: ")
    assert str(error.value).isprintable()


@pytest.mark.parametrize(("width", "height"), [(13_300, 13_300), (89_000_001, 1), (1 << 30, 1 << 30)])
def test_more_pixels_than_the_limit_are_refused_by_the_header(width, height):  # M7
    for function in (inspect, measure, lambda data: decode(data, 8)):
        with pytest.raises(UnreadableImage, match=r"image too large: .*more than 89,000,000"):
            function(png(width, height))


@pytest.mark.parametrize("white", [1, 255, 4_095, 65_535, 1_000_000, 1.7])
@pytest.mark.parametrize("mode", ["F", "I", "I;16"])
def test_numbers_without_a_fixed_white_become_a_picture_that_can_be_seen(mode, white):  # L9
    if mode != "F" and (isinstance(white, float) or (mode == "I;16" and white > 65_535)):
        pytest.skip("no such number in this mode")
    ramp = np.linspace(0, white, 64).reshape(1, 64).repeat(64, axis=0)
    kind = {"F": np.float32, "I": np.int32, "I;16": np.uint16}[mode]
    found = decode(encoded(Image.fromarray(ramp.astype(kind)), "TIFF"), 64)
    assert found.max() >= 250
    assert found.min() <= 5
    assert 90 < found.mean() < 165 or white == 1


def test_numbers_that_are_none_are_no_hindrance():  # L9
    values = np.full((8, 8), 0.5, np.float32)
    values[0, :3] = np.nan, np.inf, -np.inf
    found = decode(encoded(Image.fromarray(values), "TIFF"), 8)
    assert tuple(found[4, 4]) == (128, 128, 128)
    assert tuple(found[0, 0]) == (0, 0, 0)
    assert _succeeds(inspect, encoded(Image.fromarray(values), "TIFF"))
    for extreme in (np.full((8, 8), np.nan), np.linspace(-3e38, 3e38, 64).reshape(8, 8), np.zeros((8, 8))):
        assert decode(encoded(Image.fromarray(extreme.astype(np.float32)), "TIFF"), 8).shape == (8, 8, 3)


def test_photographs_of_telephones_are_read_upright():  # L10
    image = Image.new("RGB", (64, 32), "white")
    image.paste("black", (0, 16, 64, 32))
    exif = Image.Exif()
    exif[0x0112] = 3
    register()
    data = encoded(image, "HEIF", exif=exif.tobytes(), quality=90)
    assert measure(data) == Header("HEIF", 64, 32)
    turned = decode(data, 16)
    assert turned[0].mean() < 50 < 200 < turned[-1].mean()


def test_colours_that_pillow_cannot_convert_are_read_by_their_lightness():
    lab = Image.merge("LAB", [Image.linear_gradient("L"), *[Image.new("L", (256, 256), 128)] * 2])
    found = decode(encoded(lab, "TIFF"), 64)
    assert found[-1].mean() - found[0].mean() > 200


def test_a_transparent_image_of_many_rows_is_laid_on_white_all_over():
    image = Image.new("LA", (3, 1_000), (0, 0))
    image.paste((90, 255), (0, 500, 3, 1_000))
    whole = np.asarray(full(encoded(image, "PNG")))
    assert (whole[:500] == 255).all()
    assert (whole[500:] == 90).all()
