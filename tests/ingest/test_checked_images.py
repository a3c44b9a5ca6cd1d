"""Images are decoded whole before they are believed."""

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Pillow

from photocritic.ingest.admission import Checked, CheckedImage
from photocritic.ingest.checked_images import checked
from photocritic.ingest.records import Comment, Image, Record, Rejected


def image_of(data: bytes | Path | None, name: str = "a.jpg") -> Image:
    return Image(image_id=name, data=data, source="images", position=name)


def check(image: Image) -> Checked:
    """Decode one image as ingest does."""
    (found,) = checked([image])
    return found


def noise(form: str) -> bytes:
    buffer = io.BytesIO()
    Pillow.effect_noise((40, 30), 80).convert("P" if form == "GIF" else "RGB").save(buffer, form)
    return buffer.getvalue()


SAMPLES = [noise(form) for form in ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")]


def bomb() -> bytes:
    """Make a small PNG whose header promises 2.5 thousand million pixels."""
    header = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(("form", "name"), [("JPEG", "JPEG"), ("PNG", "PNG"), ("WEBP", "WEBP"), ("GIF", "GIF")])
def test_sizes_and_formats(picture: Callable[..., bytes], form: str, name: str) -> None:
    result = check(image_of(picture(size=(30, 20), form=form)))
    assert isinstance(result, CheckedImage)
    assert (result.width, result.height, result.format, len(result.sha256)) == (30, 20, name, 64)


def test_without_image_there_is_nothing_to_check() -> None:
    assert check(image_of(None)) == CheckedImage(image_of(None))


def test_what_is_wrong_is_reported(picture: Callable[..., bytes], tmp_path: Path) -> None:
    whole = picture(size=(300, 300))
    cases = {
        whole[: len(whole) // 2]: "unreadable image: image file is truncated",
        b"not an image": "unreadable image: not a known image format",
        b"": "unreadable image: empty file",
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n": "unreadable image: not a known image format",
        bomb(): "image too large",
    }
    for data, reason in cases.items():
        result = check(image_of(data))
        assert isinstance(result, Rejected)
        assert result.reason.startswith(reason)
        assert (result.image_id, result.kind) == ("a.jpg", "image")
    missing = check(image_of(tmp_path / "gone.jpg"))
    assert isinstance(missing, Rejected)
    assert missing.reason == "unreadable file: No such file or directory"


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_damaged_images_never_end_a_run(data: st.DataObject) -> None:
    whole = bytearray(data.draw(st.sampled_from(SAMPLES)))
    for place, value in data.draw(st.lists(st.tuples(st.integers(0, len(whole) - 1), st.integers(0, 255)), max_size=8)):
        whole[place] = value
    cut = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    first, second = check(image_of(cut)), check(image_of(cut))
    assert first == second
    assert isinstance(first, CheckedImage | Rejected)


def test_order_is_kept_among_images_and_texts(picture: Callable[..., bytes]) -> None:
    records: list[Record] = []
    for number in range(60):
        data = b"broken" if number % 7 == 0 else picture(size=(10 + 40 * (number % 5), 10))
        records.append(image_of(data, f"{number}"))
        texts = range(number % 3)
        records += [Comment(image_id=f"{number}", text=f"{n}", source="c", position="1") for n in texts]
    found = [
        (type(item), item.image.image_id if isinstance(item, CheckedImage) else item.image_id)
        for item in checked(records)
    ]
    wanted = [
        (
            Comment if isinstance(item, Comment) else Rejected if int(item.image_id or 0) % 7 == 0 else CheckedImage,
            item.image_id,
        )
        for item in records
    ]
    assert found == wanted
