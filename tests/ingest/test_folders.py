"""The files of a corpus: links, odd names, and images in formats that are not read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from photocritic.core.errors import CorpusError
from photocritic.ingest.records import Comment, Image, Record, Rejected

Read = Callable[..., list[Record]]


TakeIn = Callable[..., Any]


def of(kind: Any, records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


# links that leave the corpus
@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "outside" / "private.txt"
    path.parent.mkdir()
    path.write_text("a private text")
    return path


def test_a_loose_text_that_links_out_is_not_read(corpus: Path, read: Read, secret: Path) -> None:
    (corpus / "images" / "0.txt").symlink_to(secret)
    (corpus / "images" / "own.txt").write_text("an own text")
    (corpus / "images" / "1.txt").symlink_to("own.txt")
    records = read("conceptual", corpus / "images")
    assert [(item.image_id, item.text) for item in of(Comment, records)] == [("1.jpg", "an own text")]
    assert "link leads out of the corpus" in [item.reason for item in of(Rejected, records)]


def test_an_image_that_links_out_is_not_taken(corpus: Path, take_in: TakeIn, secret: Path) -> None:
    (secret.parent / "x.jpg").write_bytes((corpus / "images" / "0.jpg").read_bytes())
    (corpus / "images" / "out.jpg").symlink_to(secret.parent / "x.jpg")
    (corpus / "images" / "nowhere.jpg").symlink_to("gone")
    (corpus / "images" / "circle.jpg").symlink_to("circle.jpg")
    _, tables = take_in(corpus)
    reasons = {row["position"]: row["reason"] for row in tables["quarantine"]}
    assert reasons["out.jpg"] == "link leads out of the corpus"
    assert {"nowhere.jpg", "circle.jpg"} < set(reasons)
    assert len(tables["images"]) == 3


@pytest.mark.parametrize("name", ["../outside/private.csv", "linked.csv", "inner/private.csv"])
def test_a_named_file_outside_is_refused(corpus: Path, read: Read, secret: Path, name: str) -> None:
    (secret.parent / "private.csv").write_text("image,text\n0.jpg,private\n")
    (corpus / "linked.csv").symlink_to(secret.parent / "private.csv")
    (corpus / "inner").symlink_to(secret.parent)
    with pytest.raises(CorpusError, match="leads out of the corpus"):
        read("folder", corpus, comments=name)


def test_a_folder_of_images_that_is_a_link_out_is_refused(corpus: Path, read: Read, tmp_path: Path) -> None:
    (corpus / "images").rename(tmp_path / "images")
    (corpus / "images").symlink_to(tmp_path / "images")
    for reader in ("folder", "coco"):
        with pytest.raises(CorpusError, match="leads out of the corpus"):
            read(reader, corpus, comments="comments.csv")


def test_the_corpus_itself_may_be_a_link(corpus: Path, read: Read, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(corpus)
    (tmp_path / "file.csv").symlink_to(corpus / "comments.csv")
    assert len(of(Comment, read("folder", tmp_path / "link"))) == 4
    assert len(of(Comment, read("folder", tmp_path / "file.csv"))) == 4


def test_a_name_that_two_image_files_have_is_not_guessed(corpus: Path, read: Read, write_json: Any) -> None:
    (corpus / "images" / "more").mkdir()
    (corpus / "images" / "more" / "0.jpg").write_bytes((corpus / "images" / "1.jpg").read_bytes())
    source = write_json(corpus / "c.json", {"0.jpg": ["a"], "more/0.jpg": ["b"], "1.jpg": ["c"]})
    records = read("dpc", source)
    assert [item.image_id for item in of(Image, records)] == ["0.jpg", "more/0.jpg", "1.jpg"]


@pytest.mark.parametrize("reader", ["folder", "dpc"])
def test_images_of_an_unknown_kind_alone_are_no_corpus_of_text(corpus: Path, read: Read, reader: str) -> None:
    for path in (corpus / "images").iterdir():
        path.rename(path.with_suffix(".cr2"))
    (corpus / "c.json").write_text('{"0.jpg": ["a"]}')
    with pytest.raises(CorpusError, match=r"no image in a supported format, only others such as 0\.cr2"):
        read(reader, corpus, comments="comments.csv" if reader == "folder" else "c.json")


@pytest.mark.parametrize("name", ["x" * 5_000, "a\0b", "../..", ".", "/", "comments.csv/x"])
def test_odd_names_in_parameters_are_reported(corpus: Path, read: Read, name: str) -> None:
    with pytest.raises(CorpusError):
        read("folder", corpus, comments=name)
    with pytest.raises(CorpusError):
        read("folder", corpus / name, comments="gone")


def test_a_folder_that_is_named_like_a_table(corpus: Path, read: Read) -> None:
    (corpus / "a.csv").mkdir()
    assert len(of(Comment, read("folder", corpus))) == 4
    (corpus / "comments.csv").unlink()
    with pytest.raises(CorpusError):
        read("folder", corpus)
