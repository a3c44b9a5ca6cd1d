"""What enters the tables: bounded names and texts, one image a name, and messages that a terminal may show."""

import io
import json
import tarfile
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from photocritic.core.errors import CorpusError
from photocritic.core.limits import NAME_BYTES, TEXT_CHARACTERS
from photocritic.ingest.records import Record

Read = Callable[..., list[Record]]


TakeIn = Callable[..., Any]


# a text that is too long
@pytest.mark.parametrize("reader", ["folder", "dpc"])
def test_an_endless_comment_is_quarantined(corpus: Path, take_in: TakeIn, reader: str, write_json: Any) -> None:
    texts = {"0.jpg": ["fine", "x" * 4_000_000, "y" * TEXT_CHARACTERS]}
    if reader == "dpc":
        source = write_json(corpus / "c.json", texts)
    else:
        source = corpus / "c.jsonl"
        source.write_text("".join(json.dumps({"image": "0.jpg", "text": text}) + "\n" for text in texts["0.jpg"]))
    _, tables = take_in(source, reader=reader)
    assert [len(row["text"]) for row in tables["comments"]] == [4, TEXT_CHARACTERS]
    [row] = tables["quarantine"]
    assert row["reason"].startswith(("text too long", "malformed row: longer"))


def test_endless_names_are_quarantined(corpus: Path, take_in: TakeIn) -> None:
    long = "n" * (NAME_BYTES + 1)
    rows = [{"image": "0.jpg", "text": "fine"}, {"image": long, "text": "a"}]
    rows += [{"image": "0.jpg", "text": "a", key: long} for key in ("comment_id", "style")]
    (corpus / "comments.csv").unlink()
    (corpus / "c.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    _, tables = take_in(corpus)
    assert [row["reason"].split(":")[0] for row in tables["quarantine"]] == [
        "image name too long",
        "comment id too long",
        "style too long",
    ]


def test_a_second_archive_with_the_same_names_takes_no_captions_over(
    tmp_path: Path, take_in: TakeIn, picture: Any
) -> None:
    for place in "ab":
        (tmp_path / place).mkdir()
        with tarfile.open(tmp_path / place / "0.tar", "w") as tar:
            for name, data in (("0.jpg", picture()), ("0.txt", place.encode())):
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
    _, tables = take_in(tmp_path, reader="conceptual")
    assert [row["text"] for row in tables["comments"]] == ["a"]
    assert [row["reason"] for row in tables["quarantine"]] == ["duplicate image", "its image is quarantined"]


@pytest.mark.parametrize(
    "value", ["1" * 5_000, "-" + "1" * 5_000, "NaN", "1e999", "Infinity", "true", "9" * 30, '"\\u0000"', "null", "[[]]"]
)
def test_odd_values_cost_their_row(corpus: Path, take_in: TakeIn, value: str) -> None:
    rows = [f'{{"image": {value}, "text": "a"}}', f'{{"image": "0.jpg", "text": {value}}}']
    (corpus / "comments.csv").unlink()
    (corpus / "c.jsonl").write_text("\n".join([*rows, '{"image": "0.jpg", "text": "fine"}']))
    _, tables = take_in(corpus)
    assert (len(tables["comments"]), len(tables["quarantine"])) == (1, 2)


# names, and kinds of images
def test_accents_match_in_either_form(tmp_path: Path, take_in: TakeIn, picture: Any) -> None:
    (tmp_path / "c" / "images").mkdir(parents=True)
    name = "café.jpg"
    (tmp_path / "c" / "images" / unicodedata.normalize("NFD", name)).write_bytes(picture())
    composed = unicodedata.normalize("NFC", name)
    (tmp_path / "c" / "comments.csv").write_text(f"image,text\n{composed},lovely\n", encoding="utf-8")
    (tmp_path / "c" / "c.json").write_text(json.dumps({composed: ["lovely"]}))
    for reader, file in (("folder", "comments.csv"), ("dpc", "c.json")):
        _, tables = take_in(tmp_path / "c", reader=reader, comments=file, out=reader)
        assert [row["image_id"] for row in tables["comments"]] == [composed]
        assert [row["image_id"] for row in tables["images"]] == [composed]


def test_no_comment_on_any_image_names_both(corpus: Path, take_in: TakeIn) -> None:
    (corpus / "comments.csv").write_text("image,text\nIMG_0,a\nIMG_1,b\n")
    with pytest.raises(CorpusError, match=r"2 rows: unknown image, .*IMG_0; the images are named such as '0\.jpg'"):
        take_in(corpus)


# what a terminal or a spreadsheet would obey
def test_control_characters_do_not_reach_the_terminal(corpus: Path, take_in: TakeIn, caplog: Any) -> None:
    (corpus / "images" / "\x1b[31mred\n.jpg").write_bytes(b"x")
    take_in(corpus)
    assert "\\x1b[31mred" in caplog.text
    assert "\x1b" not in caplog.text
    assert "\x1b" not in str(CorpusError("a name with \x1b[31m"))
