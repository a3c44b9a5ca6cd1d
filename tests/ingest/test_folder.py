"""A folder of images and comments, as users bring it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from photocritic.core.errors import CorpusError
from photocritic.ingest.records import Comment, Image, Record, Reference, Rejected

Read = Callable[..., list[Record]]


def of(kind: Any, records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def test_images_come_first_and_comments_keep_their_order(corpus: Path, read: Read) -> None:
    records = read("folder", corpus)
    assert [image.image_id for image in of(Image, records)] == ["0.jpg", "1.jpg", "2.jpg"]
    assert [type(record) for record in records] == [Image] * 3 + [Comment] * 4
    assert [(comment.image_id, comment.text, comment.position) for comment in of(Comment, records)][2:] == [
        ("1.jpg", "soft, warm", "line 4"),
        ("2.jpg", "too dark", "line 5"),
    ]


def test_json_lines_with_everything(corpus: Path, read: Read, tmp_path: Path) -> None:
    (corpus / "comments.csv").unlink()
    (corpus / "talk.jsonl").write_text(
        '{"image": "images/0.jpg", "caption": "hm", "comment_id": 7, "author": "u1", "style": "dry", "split": "dev", '
        '"aspect": "light", "labels": ["cat", "dog"]}\n'
        '{"image": "0.jpg", "text": "mm", "split": "val", "labels": "dog;bird"}\n'
    )
    records = read("folder", corpus)
    assert of(Image, records)[0].split == "val"
    assert of(Image, records)[0].labels == ("cat", "dog", "bird")
    first = of(Comment, records)[0]
    assert (first.image_id, first.comment_id, first.author_id, first.style) == ("0.jpg", "7", "u1", "dry")
    assert [comment.source for comment in of(Comment, records)] == ["talk.jsonl:light", "talk.jsonl"]


def test_a_title_and_the_first_line_of_a_description_are_a_comment_each(corpus: Path, read: Read) -> None:
    rows = [
        {
            "image": "0.jpg",
            "comment_id": "p",
            "author": "u1",
            "title": " Under the bridge ",
            "description": "A walk.\nMore",
        },
        {"image": "1.jpg", "title": "", "description": "\n\nSun is going to bed. Good night\r\nTaken in May"},
        {"image": "1.jpg", "title": "Home", "description": None},
        {"image": "2.jpg", "text": "what was said", "title": "IMG_5"},
        {"image": "2.jpg", "title": " ", "description": ""},
        {"image": "2.jpg", "title": ["a"]},
    ]
    (corpus / "comments.csv").unlink()
    (corpus / "flickr.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    records = read("folder", corpus)
    assert [(item.image_id, item.text, item.comment_id) for item in of(Comment, records)] == [
        ("0.jpg", "Under the bridge", "p"),
        ("0.jpg", "A walk.", "p-description"),
        ("1.jpg", "Sun is going to bed. Good night", None),
        ("1.jpg", "Home", None),
        ("2.jpg", "what was said", None),
    ]
    assert [item.author_id for item in of(Comment, records)][:2] == ["u1", "u1"]
    assert [(item.position, item.reason) for item in of(Rejected, records)] == [
        ("line 5", "empty text"),
        ("line 6", "malformed row: its title is a list"),
    ]


def test_references_and_styles(corpus: Path, read: Read) -> None:
    (corpus / "captions.csv").write_text("image,caption\n0.jpg,a hill\n")
    (corpus / "funny.tsv").write_text("image\tcaption\n1.jpg\ta hill, ha\n")
    records = read("folder", corpus, references="captions.csv", styles={"humorous": "funny.tsv"})
    assert [(item.image_id, item.text) for item in of(Reference, records)] == [("0.jpg", "a hill")]
    assert [(item.image_id, item.style) for item in of(Comment, records)][-1] == ("1.jpg", "humorous")


def test_wrong_rows_are_rejected_with_their_reason(corpus: Path, read: Read) -> None:
    (corpus / "comments.csv").write_text(
        "image,text,split,labels\n0.jpg,fine,train,a\n0.jpg,other,test,a\n1.jpg,odd,sometimes,\n,nobody,,\n"
    )
    (corpus / "captions.csv").write_text("image,text,split\n0.jpg,fine,val\n2.jpg,fine,val\n")
    records = read("folder", corpus, references="captions.csv")
    assert [image.split for image in of(Image, records)] == ["train", None, "val"]
    assert of(Rejected, records)[-1].kind == "reference"
    assert [(item.position, item.reason) for item in of(Rejected, records)][:-1] == [
        ("line 3", "contradictory split: 'test' here, 'train' on line 2 of comments.csv"),
        ("line 4", "unknown split: 'sometimes' is none of train, val, test"),
        ("line 5", "no image name"),
    ]


def test_json_values_of_wrong_types(corpus: Path, read: Read) -> None:
    (corpus / "comments.csv").unlink()
    rows = [
        '{"image": "0.jpg", "text": 5}',
        '{"image": ["x"], "text": "a"}',
        '{"image": "0.jpg"}',
        '{"labels": 3, "image": 1, "text": ""}',
    ]
    (corpus / "c.jsonl").write_text("\n".join(rows))
    assert [item.reason for item in of(Rejected, read("folder", corpus))] == [
        "malformed row: its text is a number",
        "malformed row: its image is a list",
        "empty text",
        "malformed row: its labels are not text",
    ]


def test_text_only(corpus: Path, read: Read) -> None:
    for path in (corpus / "images").iterdir():
        path.unlink()
    records = read("folder", corpus / "comments.csv")
    assert [(image.image_id, image.data) for image in of(Image, records)] == [(f"{n}.jpg", None) for n in range(3)]
    assert isinstance(records[0], Image)
    assert len(of(Comment, records)) == 4


def test_images_beside_the_comments(corpus: Path, read: Read) -> None:
    for path in list((corpus / "images").iterdir()):
        path.rename(corpus / path.name)
    (corpus / "images").rmdir()
    assert len(of(Image, read("folder", corpus))) == 3


def test_what_is_no_image_is_reported(corpus: Path, read: Read) -> None:
    (corpus / "images" / "raw.cr2").write_bytes(b"x")
    (corpus / "images" / ".DS_Store").write_bytes(b"x")
    assert [(item.position, item.reason) for item in of(Rejected, read("folder", corpus))] == [
        ("raw.cr2", "unknown kind of image file")
    ]


def test_unusable_corpora_say_why(corpus: Path, read: Read, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"ingest\.source: no folder or file '.*nowhere'"):
        read("folder", tmp_path / "nowhere")
    with pytest.raises(CorpusError, match=r"ingest\.references: no file 'r\.csv' in .*; available: comments\.csv"):
        read("folder", corpus, references="r.csv")
    (corpus / "comments.csv").rename(corpus / "one.csv")
    (corpus / "two.jsonl").write_text("")
    with pytest.raises(
        CorpusError, match=r"several files are possible \(one\.csv, two\.jsonl\); choose one with ingest\.comments"
    ):
        read("folder", corpus)
    assert len(of(Comment, read("folder", corpus, comments="one.csv"))) == 4
    (corpus / "one.csv").write_text("picture,text\na,b\n")
    with pytest.raises(CorpusError, match=r"no column 'image' or .*; found 'picture', 'text'"):
        read("folder", corpus, comments="one.csv")
    for path in corpus.glob("*.*"):
        path.unlink()
    with pytest.raises(CorpusError, match=r"no \.csv or .* file; add one, or name it with ingest\.comments"):
        read("folder", corpus)
