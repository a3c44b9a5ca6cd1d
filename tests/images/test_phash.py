"""Perceptual hashes: near for what looks alike, far for what does not, for any image that Pillow opens."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ExifTags, Image, ImageEnhance

from photocritic.images.phash import phash

MODES = ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "YCbCr", "HSV", "LAB", "I", "F", "I;16"]


# Rows and columns as a camera stores them under each EXIF orientation: the inverse of what a viewer does.
STORED = {
    1: lambda pixels: pixels,
    2: lambda pixels: pixels[:, ::-1],
    3: lambda pixels: pixels[::-1, ::-1],
    4: lambda pixels: pixels[::-1],
    5: lambda pixels: pixels.transpose(1, 0, 2),
    6: np.rot90,
    7: lambda pixels: pixels[::-1, ::-1].transpose(1, 0, 2),
    8: lambda pixels: np.rot90(pixels, -1),
}


def scene(seed: int, size: tuple[int, int] = (240, 160)) -> Image.Image:
    """Make a picture of soft shapes."""
    coarse = np.random.default_rng(seed).integers(0, 256, (6, 9, 3), np.uint8)
    return Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)


def distance(first: Image.Image, second: Image.Image) -> int:
    return ((phash(first) ^ phash(second)) & (2**64 - 1)).bit_count()


def compressed(picture: Image.Image, quality: int) -> Image.Image:
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=quality)
    return Image.open(buffer)


@pytest.mark.parametrize("seed", range(5))
def test_copies_are_near(seed):
    picture = scene(seed)
    assert distance(picture, picture.resize((600, 400))) <= 8
    assert distance(picture, picture.convert("L")) <= 8
    assert distance(picture, compressed(picture, 40)) <= 8
    assert distance(picture, ImageEnhance.Brightness(picture).enhance(0.8)) <= 8
    assert distance(picture, picture.crop((3, 2, 238, 158))) <= 10


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_what_looks_the_same_has_one_hash_however_it_is_stored(kind, orientation):
    upright = scene(3)
    stored = Image.fromarray(STORED[orientation](np.asarray(upright)).copy())
    turned, plain = (opened(picture, kind, tag) for picture, tag in ((stored, orientation), (upright, 1)))
    assert distance(turned, plain) <= (0 if kind in {"PNG", "TIFF"} else 2)
    if orientation > 1:
        assert distance(opened(stored, kind, 1), plain) > 10


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
def test_a_damaged_or_odd_orientation_is_passed_over():
    for damaged in (b"Exif\0\0MM\0*\0\0\0\x08\xff\xff", b"Exif\0\0nonsense", b""):
        buffer = io.BytesIO()
        scene(3).save(buffer, "JPEG", exif=damaged)
        assert distance(Image.open(buffer), scene(3)) <= 8
    for odd in (0, 9, 65_535):
        assert distance(opened(scene(3), "PNG", odd), scene(3)) == 0


def opened(picture: Image.Image, kind: str, orientation: int) -> Image.Image:
    """Write a picture with an EXIF orientation and read it, as the corpus is read."""
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    buffer = io.BytesIO()
    picture.save(buffer, kind, exif=exif, quality=95)
    found = Image.open(buffer)
    found.load()
    return found


def test_different_pictures_are_far():
    distances = [distance(scene(a), scene(b)) for a in range(12) for b in range(a)]
    assert min(distances) > 10
    assert np.mean(distances) == pytest.approx(32, abs=3)


def test_pictures_of_one_colour_are_all_alike():
    hashes = {phash(Image.new("RGB", (50, side), colour)) for side in (20, 50) for colour in ("red", "black", "#777")}
    assert len(hashes) == 1


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_has_a_hash(mode):
    grey = scene(1).convert("L")
    try:
        picture = grey.convert(mode)
    except ValueError:
        picture = Image.merge(mode, [grey, *[Image.new("L", grey.size, 128)] * 2])
    assert phash(picture) == phash(picture)
    if mode not in {"1", "HSV"}:
        assert distance(picture, grey) <= 10


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 70), st.integers(1, 70), st.integers(0, 999))
def test_a_hash_fits_its_column_at_any_size(width, height, seed):
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width), np.uint8)
    assert -(2**63) <= phash(Image.fromarray(pixels)) < 2**63
