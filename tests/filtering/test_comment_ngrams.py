"""N-grams of new comments are those that the filter stage makes."""

import json
from pathlib import Path

import pytest

from photocritic import tables
from photocritic.config import Params
from photocritic.core.errors import CorpusError
from photocritic.filtering import comment_ngrams as module
from photocritic.filtering.comment_ngrams import _texts, comment_ngrams
from photocritic.filtering.filter_file import filter_file

TEXTS = [
    "I like the soft light on the old wooden boat!!!! <b>Great</b> DOF",
    "Nice trees in the background, see http://example.com",
    "The colours of the evening sky are beautiful :-)",
]


def flat(path):
    return [pair for texts, found in comment_ngrams(path, Params()) for pair in zip(texts, found, strict=True)]


def test_they_equal_the_filters(tmp_path):
    file = tmp_path / "comments.jsonl"
    file.write_text("".join(json.dumps({"image": "a.jpg", "text": text}) + "\n" for text in TEXTS))
    filter_file(file, tmp_path / "rows.parquet", Params())
    rows = tables.load("captions", tmp_path / "rows.parquet").to_pylist()
    assert flat(file) == [(row["text"], row["ngrams"]) for row in rows]


def test_lines_rows_and_objects_say_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_BATCH", 2)
    (tmp_path / "a.txt").write_text("\n\n".join(TEXTS))
    (tmp_path / "a.csv").write_text("caption\n" + "\n".join(f'"{text}"' for text in TEXTS))
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps({"comment": text}) for text in TEXTS))
    lines, rows, objects = (flat(tmp_path / name) for name in ("a.txt", "a.csv", "a.jsonl"))
    assert lines == rows == objects
    assert [text for text, _ in lines] == TEXTS


def test_rows_without_text_are_passed_over(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "a soft light"}\n{"text": 3}\n{broken\n{"image": "x"}\n')
    assert [text for text, _ in flat(tmp_path / "a.jsonl")] == ["a soft light"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.txt", None, "cannot be opened"),
        ("a.docx", "x", r"'\.docx' is no known kind of file; bring one of \.txt"),
        ("a.csv", "words\nx\n", "a.csv.*text"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(tmp_path, name, content, told):
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(CorpusError, match=told) as error:
        flat(tmp_path / name)
    assert "\n" not in str(error.value)


# L8: the command topics
def test_new_comments_are_read_as_those_of_a_corpus(tmp_path: Path) -> None:
    wide, half = tmp_path / "wide.txt", tmp_path / "half.jsonl"
    wide.write_bytes("lovely light\nand shade".encode("utf-16"))
    half.write_text('{"text": "half \\ud83d"}\n{"text": "whole"}\n')
    with pytest.raises(CorpusError, match="save the file as UTF-8"):
        list(_texts(wide))
    assert list(_texts(half)) == ["whole"]
    (tmp_path / "some.txt").write_bytes(b"good\n\xff\n" + b"x" * 30_000 + b"\nlast\n")
    assert list(_texts(tmp_path / "some.txt")) == ["good", "last"]
