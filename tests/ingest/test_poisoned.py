"""Corpora with something wrong throughout are refused; a picture is never learned from and measured on."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from photocritic.config import IngestParams
from photocritic.core.errors import CorpusError, GateFailed
from photocritic.ingest import ingest

TakeIn = Callable[..., Any]


def photograph(seed: int, form: str = "PNG") -> bytes:
    """Encode a picture with large shapes in it, of which a perceptual hash can tell something."""
    colours = np.random.default_rng(seed).integers(0, 256, (6, 6, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Pillow.fromarray(colours).resize((48, 48), Pillow.Resampling.NEAREST).save(buffer, form)
    return buffer.getvalue()


@pytest.fixture
def gallery(tmp_path: Path) -> Path:
    root = tmp_path / "corpus"
    (root / "images").mkdir(parents=True)
    for number in range(4):
        (root / "images" / f"{number}.png").write_bytes(photograph(number))
    return root


def write(root: Path, *rows: str, header: str = "image,text,split", encoding: str = "utf-8") -> None:
    (root / "comments.csv").write_bytes("\n".join([header, *rows, ""]).encode(encoding))


GOOD = [f"{number}.png,lovely light number {row}," for number in range(4) for row in range(4)]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ([f"{number}.png,," for number in range(4)], "empty text"),
        ([f"nice line {number},{number}.png," for number in range(4)], "unknown image"),
        ([f"{number}.png,h\0i\0," for number in range(4)], "not UTF-8"),
        ([f"{number}.png,caf\ufffd," for number in range(4)], "not UTF-8"),
        ([f"{number}.png,too,many,fields" for number in range(4)], "malformed row"),
    ],
)
def test_a_corpus_with_many_bad_rows_is_refused(gallery: Path, take_in: TakeIn, bad: list[str], reason: str) -> None:
    write(gallery, *GOOD, *bad)
    with pytest.raises(
        GateFailed, match=rf"comments: expected at most 10% .* found 4 of 20 \(20%\), most for: {reason}"
    ):
        take_in(gallery, max_quarantined=0.1)
    outcome, tables = take_in(gallery, out="again", max_quarantined=0.2)
    assert len(tables["quarantine"]) == outcome.metrics["rows_quarantined"] == 4
    assert len(tables["comments"]) == 16


def test_broken_images_are_counted_by_themselves_and_absent_ones_not_at_all(gallery: Path, take_in: TakeIn) -> None:
    write(gallery, *GOOD)
    (gallery / "images" / "notes.txt").write_text("of no kind that is known")
    assert take_in(gallery, max_quarantined=0.1)[0].metrics["rows_quarantined"] == 1
    (gallery / "images" / "3.png").write_bytes(photograph(3)[:60])
    with pytest.raises(GateFailed, match=r"images: expected at most 10% .* found 1 of 4 \(25%\), most for: unreadable"):
        take_in(gallery, out="again", max_quarantined=0.1)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("name", ["comments.csv", "comments.jsonl", "comments.json"])
def test_a_file_in_another_encoding_is_refused_as_a_whole(
    gallery: Path, take_in: TakeIn, encoding: str, name: str
) -> None:
    (gallery / name).write_bytes('{"image": "0.png", "text": "lovely light"}'.encode(encoding) * 9)
    reader = "dpc" if name.endswith(".json") else "folder"
    with pytest.raises(CorpusError, match=rf"{name}: seems to be UTF-\d\d, not UTF-8; save the file as UTF-8"):
        take_in(gallery, reader=reader)


@pytest.mark.parametrize("copy", [photograph(0), photograph(0, "JPEG")])
def test_a_picture_under_two_names_is_in_one_split(gallery: Path, take_in: TakeIn, copy: bytes) -> None:
    for number in range(40):
        (gallery / "images" / f"copy {number}.png").write_bytes(copy)
    write(gallery, *GOOD)
    _, tables = take_in(gallery, val_share=0.3, test_share=0.3)
    splits = {row["split"] for row in tables["images"] if row["image_id"] == "0.png" or "copy" in row["image_id"]}
    assert len(tables["images"]) == 44
    assert len(splits) == 1


def test_a_picture_that_the_corpus_puts_into_two_splits_is_turned_away_the_second_time(
    gallery: Path, take_in: TakeIn
) -> None:
    (gallery / "images" / "copy.png").write_bytes(photograph(2, "JPEG"))
    write(gallery, *GOOD, "2.png,soft,test", "copy.png,softer,train")
    outcome, tables = take_in(gallery)
    assert {row["image_id"]: row["split"] for row in tables["images"]}["2.png"] == "test"
    assert {(row["kind"], row["reason"]) for row in tables["quarantine"]} == {
        ("image", "leaked image: in split train, but the same picture as '2.png' in split test"),
        ("comment", "its image is quarantined"),
    }
    assert outcome.metrics["quarantined_leaked_image"] == 1


def test_swapped_columns_of_a_corpus_without_images_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, *[f"a fine picture of hill {row},{row}.jpg" for row in range(20)], header="image,text")
    settings = IngestParams(reader="folder", source=str(tmp_path / "comments.csv"))
    with pytest.raises(GateFailed, match=r"comments\.parquet: text: expected not the names of images"):
        ingest(settings, tmp_path / "out")
