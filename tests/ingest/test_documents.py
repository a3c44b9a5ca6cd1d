"""Corpora that are JSON documents: DPC-Captions, PCCD, COCO, Karpathy's layout; and AVA's own files."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from photocritic.config import IngestParams
from photocritic.core.errors import CorpusError
from photocritic.ingest import readers
from photocritic.ingest.records import Comment, Image, Record, Reference, Rejected

Read = Callable[..., list[Record]]
Write = Callable[[Path, Any], Path]


def of(kind: Any, records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def test_dpc_over_several_aspects(tmp_path: Path, read: Read, write_json: Write) -> None:
    write_json(tmp_path / "focus.json", {"1.jpg": ["sharp", 5], "2.jpg": []})
    write_json(tmp_path / "light.json", {"2.jpg": ["warm"], "3.jpg": "alone"})
    records = read("dpc", tmp_path)
    assert [image.image_id for image in of(Image, records)] == ["1.jpg", "2.jpg", "3.jpg"]
    assert [(item.image_id, item.text, item.source) for item in of(Comment, records)] == [
        ("1.jpg", "sharp", "dpc:focus"),
        ("2.jpg", "warm", "dpc:light"),
        ("3.jpg", "alone", "dpc:light"),
    ]
    assert [(item.position, item.reason) for item in of(Rejected, records)] == [
        ("1.jpg[1]", "malformed row: its text is not a string")
    ]


def test_bytes_that_are_not_utf8_cost_one_text(tmp_path: Path, read: Read) -> None:
    (tmp_path / "a.json").write_bytes(b'\xef\xbb\xbf{"1.jpg": ["caf\xe9", "caf\xc3\xa9"]}')
    records = read("dpc", tmp_path / "a.json")
    assert [item.text for item in of(Comment, records)] == ["café"]
    assert [item.reason for item in of(Rejected, records)] == ["not UTF-8"]


def test_a_truncated_document_says_where(tmp_path: Path, read: Read) -> None:
    (tmp_path / "a.json").write_text('{"1.jpg": ["one"], "2.jpg": ["tw')
    with pytest.raises(CorpusError, match=r"a\.json: not valid JSON after item 1 '1\.jpg'"):
        read("dpc", tmp_path)
    (tmp_path / "a.json").write_text("[1, 2]")
    with pytest.raises(CorpusError, match="no JSON object of image names"):
        read("dpc", tmp_path)


def test_some_images_at_hand(tmp_path: Path, read: Read, write_json: Write, picture: Callable[..., bytes]) -> None:
    write_json(tmp_path / "a.json", {"1.jpg": ["x"], "2.jpg": ["y"]})
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "1.jpg").write_bytes(picture())
    records = read("dpc", tmp_path)
    assert [image.data for image in of(Image, records)] == [tmp_path / "images" / "1.jpg"]
    assert [(item.reason, item.image_id) for item in of(Rejected, records)] == [("no such image file", "2.jpg")]


def test_pccd_names_photographs_uniquely(tmp_path: Path, read: Read, write_json: Write) -> None:
    items = [
        {"title": "dusk", "image_url": "http://x/a.jpg", "composition": "tight", "category": "night"},
        {"title": "dusk", "image_url": "http://x/b.jpg", "focus": "soft"},
        {"title": "", "image_url": "http://x/c%20d.jpg", "focus": "hard"},
        {"title": "odd", "image_url": "http://[", "focus": ["no", "text"]},
        "nothing",
    ]
    records = read("pccd", write_json(tmp_path / "p.json", items))
    assert [(image.image_id, image.labels) for image in of(Image, records)] == [
        ("dusk", ("category:night",)),
        ("dusk_b", ()),
        ("c d.jpg", ()),
        ("odd", ()),
    ]
    texts = [(item.image_id, item.source, item.text) for item in of(Comment, records) if item.text]
    assert texts == [
        ("dusk", "pccd:composition", "tight"),
        ("dusk_b", "pccd:focus", "soft"),
        ("c d.jpg", "pccd:focus", "hard"),
    ]
    assert [(item.position, item.kind) for item in of(Rejected, records)] == [
        ("item 3.focus", "comment"),
        ("item 4", "image"),
    ]


def test_pccd_has_splits_of_its_own_where_it_has_a_list_of_each(tmp_path: Path, read: Read, write_json: Write) -> None:
    for split in ("train", "validation", "test"):
        write_json(tmp_path / f"guru_{split}.json", [{"title": split, "focus": f"sharp {split}"}])
    write_json(tmp_path / "raw.json", [{"title": "train", "focus": "all of them again"}])
    records = read("pccd", tmp_path)
    splits = {image.image_id: image.split for image in of(Image, records)}
    assert splits == {"train": "train", "validation": "val", "test": "test"}
    drawn = read("pccd", tmp_path / "guru_test.json")
    assert [image.split for image in of(Image, drawn)] == [None]
    assert [image.split for image in of(Image, read("pccd", tmp_path, comments="guru_test.json"))] == [None]


def test_pccd_with_one_split_alone_is_drawn_and_others_have_to_be_named(
    tmp_path: Path, read: Read, write_json: Write
) -> None:
    write_json(tmp_path / "guru_test.json", [{"title": "a", "focus": "sharp"}])
    assert [image.split for image in of(Image, read("pccd", tmp_path))] == [None]
    write_json(tmp_path / "more.json", [{"title": "b", "focus": "soft"}])
    with pytest.raises(CorpusError, match=r"ingest\.comments"):
        read("pccd", tmp_path)


def test_coco(tmp_path: Path, read: Read, write_json: Write) -> None:
    for split, number in (("train", 1), ("val", 2)):
        document = {
            "annotations": [
                {"id": number, "image_id": number, "caption": f"c{number}"},
                {"id": 9, "image_id": 99, "caption": "lost"},
                {"id": 8, "caption": "nowhere"},
            ],
            "images": [{"id": number, "file_name": f"{number}.jpg"}, {"id": number, "file_name": "again.jpg"}],
        }
        write_json(tmp_path / "annotations" / f"captions_{split}2017.json", document)
    records = read("coco", tmp_path)
    assert [(image.image_id, image.split) for image in of(Image, records)] == [("1.jpg", "train"), ("2.jpg", "val")]
    assert [(item.comment_id, item.image_id, item.text) for item in of(Comment, records)][:2] == [
        ("1", "1.jpg", "c1"),
        ("9", "99", "lost"),
    ]
    assert [item.kind for item in of(Rejected, records)] == ["image", "comment"] * 2
    single = read("coco", tmp_path / "annotations" / "captions_val2017.json")
    assert [image.split for image in of(Image, single)] == [None]
    with pytest.raises(CorpusError, match="is this a COCO captions file"):
        read("coco", write_json(tmp_path / "x.json", {"images": []}))


def test_karpathy_layout(tmp_path: Path, read: Read, write_json: Write) -> None:
    images = [
        {"filename": "a.jpg", "split": "restval", "sentences": [{"raw": "one"}, {"raw": None}]},
        {"filename": "b.jpg", "split": "huh", "sentences": []},
        {"sentences": []},
    ]
    records = read("coco", write_json(tmp_path / "dataset.json", {"images": images}))
    assert [(image.image_id, image.split) for image in of(Image, records)] == [("a.jpg", "train")]
    assert [item.text for item in of(Comment, records)] == ["one"]
    assert [item.position for item in of(Rejected, records)] == ["images[0].sentences[1]", "images[1]", "images[2]"]


@pytest.fixture
def ava(tmp_path: Path) -> Path:
    ratings = " ".join(["1"] * 10)
    (tmp_path / "AVA.txt").write_text(f"1 953619 {ratings} 14 0 1396\n2 953620 {ratings} 14 7 1396\n3 bad\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("comments.csv", "image,text\n953619,nice\n953620.jpg,dark\n"),
        ("comments.jsonl", '{"image": 953619, "text": "nice"}\n{"image": "953620.jpg", "text": "dark"}\n'),
        ("comments.json", '{"953619": ["nice"], "953620.jpg": ["dark"]}'),
        ("comments.txt", "1#953619#nice\n2#953620#dark\n"),
        ("comments.json", '{"images": [{"filename": "953619.jpg", "split": "train", "sentences": [{"raw": "nice"}]},'
         ' {"filename": "953620.jpg", "split": "test", "sentences": [{"raw": "dark"}]}]}'),
    ],
)  # fmt: skip
def test_ava_with_each_kind_of_comments(ava: Path, read: Read, name: str, content: str) -> None:
    (ava / name).write_text(content)
    records = read("ava", ava)
    assert [(image.image_id, image.labels) for image in of(Image, records)] == [
        ("953619.jpg", ("tag:14",)),
        ("953620.jpg", ("tag:14", "tag:7")),
    ]
    assert [(item.image_id, item.text) for item in of(Comment, records)] == [
        ("953619.jpg", "nice"),
        ("953620.jpg", "dark"),
    ]
    assert [item.position for item in of(Rejected, records)] == ["line 3"]
    if "split" in content:
        assert [image.split for image in of(Image, records)] == ["train", "test"]


def test_ava_without_its_table_and_with_references(ava: Path, read: Read) -> None:
    (ava / "comments.csv").write_text("image,text\n953619,nice\n")
    (ava / "captions.csv").write_text("image,text\n953619,a boat\n")
    records = read("ava", ava, references="captions.csv")
    assert [(item.image_id, item.text) for item in of(Reference, records)] == [("953619.jpg", "a boat")]
    (ava / "AVA.txt").unlink()
    with pytest.raises(CorpusError, match=r"no AVA\.txt"):
        read("ava", ava)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["images", "annotations", "id", "image_id", "caption", "file_name", "filename", "title"])
            | st.sampled_from(["sentences", "raw", "split", "image_url", "focus", "category"])
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(st.sampled_from(["dpc", "pccd", "coco"]), JSON | st.binary(max_size=80))
def test_no_document_crashes_a_reader(tmp_path: Path, write_json: Write, reader: str, value: Any) -> None:
    path = tmp_path / "d.json"
    if isinstance(value, bytes):
        path.write_bytes(value)
    else:
        write_json(path, value)
    with contextlib.suppress(CorpusError):
        assert list(readers.get(reader).read(path, IngestParams(), 7))


@pytest.mark.parametrize("reader", ["dpc", "pccd", "coco"])
def test_deep_nesting_is_no_crash(tmp_path: Path, read: Read, reader: str) -> None:
    deep = "[" * 3_000 + "]" * 3_000
    text = f'[{{"title": "x", "focus": {deep}}}]' if reader == "pccd" else f'{{"images": {deep}}}'
    (tmp_path / "d.json").write_text(text)
    with contextlib.suppress(CorpusError):
        assert any(isinstance(record, Rejected) for record in read(reader, tmp_path / "d.json"))
