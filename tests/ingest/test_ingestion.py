"""The stage: every row in a table or in quarantine, the same bytes each time."""

import hashlib
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image as Pillow
from pydantic import ValidationError

from photocritic.config import IngestParams
from photocritic.core.errors import CorpusError, ParamsError
from photocritic.images.phash import phash
from photocritic.images.shards import read_images
from photocritic.ingest import ingest, readers
from photocritic.ingest.splits import by_hash

TakeIn = Callable[..., Any]


def digests(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_images_and_comments_arrive(corpus: Path, take_in: TakeIn, tmp_path: Path) -> None:
    outcome, tables = take_in(corpus)
    assert [(row["image_id"], row["width"], row["height"], row["format"]) for row in tables["images"]] == [
        (f"{number}.jpg", 24, 16, "JPEG") for number in range(3)
    ]
    paths = [row["path"] for row in tables["images"]]
    originals = [(corpus / "images" / f"{number}.jpg").read_bytes() for number in range(3)]
    hashes = [hashlib.sha256(image).hexdigest() for image in originals]
    assert [row["sha256"] for row in tables["images"]] == hashes
    assert list(read_images(paths, tmp_path / "out" / "shards", hashes)) == originals
    assert [row["comment_id"] for row in tables["comments"]] == ["0.jpg#0", "0.jpg#1", "1.jpg#0", "2.jpg#0"]
    assert {row["source"] for row in tables["comments"]} == {"comments.csv"}
    assert (tables["references"], tables["quarantine"]) == ([], [])
    assert outcome.metrics["comments_per_image"] == pytest.approx(4 / 3)
    assert outcome.plots["comments_per_image"] == [{"comments": 1, "images": 2}, {"comments": 2, "images": 1}]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "comments.parquet",
        "images.parquet",
        "quarantine.parquet",
        "references.parquet",
        "shards",
    ]


def test_images_at_hand_have_a_perceptual_hash(corpus: Path, take_in: TakeIn, tmp_path: Path) -> None:
    _, tables = take_in(corpus)
    for row in tables["images"]:
        assert row["phash"] == phash(Pillow.open(corpus / "images" / row["image_id"]))
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / "comments.csv").write_text("image,text\n0.jpg,lovely light\n")
    _, tables = take_in(tmp_path / "alone", out="text")
    assert [row["phash"] for row in tables["images"]] == [None]


def test_every_wrong_row_says_why(corpus: Path, take_in: TakeIn, picture: TakeIn) -> None:
    whole = picture(size=(200, 200))
    (corpus / "images" / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    (corpus / "images" / "lonely.jpg").write_bytes(whole)
    (corpus / "comments.csv").write_bytes(
        b"image,text,comment_id\n0.jpg,fine,a\n0.jpg,twice,a\n1.jpg,  ,b\ngone.jpg,hm,c\ncut.jpg,hm,d\n"
        b"../0.jpg,hm,e\n/etc/passwd,hm,f\n..\\0.jpg,hm,g\n0.jpg,\xff,h\n0.jpg\n0.jpg,numbered,\n"
    )
    outcome, tables = take_in(corpus)
    reasons = {(row["position"], row["reason"].split(":")[0]) for row in tables["quarantine"]}
    assert reasons == {
        ("cut.jpg", "unreadable image"),
        ("line 3", "duplicate comment id"),
        ("line 4", "empty text"),
        ("line 5", "unknown image"),
        ("line 6", "its image is quarantined"),
        ("line 7", "image name leads out of its folder"),
        ("line 8", "image name leads out of its folder"),
        ("line 9", "image name leads out of its folder"),
        ("line 10", "not UTF-8"),
        ("line 11", "malformed row"),
    }
    assert [row["comment_id"] for row in tables["comments"]] == ["a", "0.jpg#0"]
    assert "lonely.jpg" in [row["image_id"] for row in tables["images"]]
    metrics = outcome.metrics
    assert metrics["rows_read"] == metrics["rows_kept"] + metrics["rows_quarantined"] == 5 + 11
    assert metrics["quarantined_unreadable_image"] == 1
    assert metrics["quarantined_image_name_leads_out_of_its_folder"] == 3


def test_same_corpus_same_bytes(corpus: Path, take_in: TakeIn, tmp_path: Path) -> None:
    take_in(corpus, out="one")
    take_in(corpus, out="two")
    assert digests(tmp_path / "one") == digests(tmp_path / "two")


def test_given_splits_win_over_the_hash(corpus: Path, take_in: TakeIn) -> None:
    (corpus / "comments.csv").write_text("image,text,split\n0.jpg,a,test\n1.jpg,b,val\n2.jpg,c,\n")
    outcome, tables = take_in(corpus, val_share=0.0, test_share=0.0)
    assert [row["split"] for row in tables["images"]] == ["test", "val", "train"]
    assert outcome.metrics["share_val"] == pytest.approx(1 / 3)


def test_limit_leaves_the_other_images_out_with_their_comments(corpus: Path, take_in: TakeIn) -> None:
    outcome, tables = take_in(corpus, limit=1)
    assert [row["image_id"] for row in tables["images"]] == ["0.jpg"]
    assert len(tables["comments"]) == 2
    assert outcome.metrics["rows_beyond_limit"] == 4
    assert not tables["quarantine"]


def test_text_only_is_reported(corpus: Path, take_in: TakeIn, caplog: pytest.LogCaptureFixture) -> None:
    for path in (corpus / "images").iterdir():
        path.unlink()
    with caplog.at_level(logging.WARNING):
        outcome, tables = take_in(corpus)
    assert outcome.metrics["text_only_images"] == 3
    assert {(row["path"], row["width"], row["format"]) for row in tables["images"]} == {("", 0, "")}
    assert "no image files found" in caplog.text


def test_a_corpus_without_usable_comments_is_refused(corpus: Path, take_in: TakeIn, tmp_path: Path) -> None:
    (corpus / "comments.csv").write_text("image,text\nx,a\ny,b\n0.jpg,\n")
    with pytest.raises(CorpusError, match=r"no usable comments; 2 rows: unknown image, such as comments\.csv, line 2"):
        take_in(corpus)
    assert not list((tmp_path / "out").iterdir())


def test_the_gate_lets_a_real_corpus_through(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = ingest(IngestParams(reader="folder", source=str(corpus)), tmp_path / "out")
    assert outcome.metrics["images"] == 3


def test_the_sample_is_read(take_in: TakeIn) -> None:
    outcome, tables = take_in(Path(), reader="sample", sample_images=3)
    assert outcome.metrics["images"] == 3
    assert all(row["labels"] and row["path"] for row in tables["images"])
    assert outcome.metrics["rows_quarantined"] == 0
    assert {"sample", "sample:focus"} < {row["source"] for row in tables["comments"]}


def test_the_draw_of_splits_has_a_seed_of_its_own(corpus: Path, take_in: TakeIn) -> None:
    shares = {"val_share": 0.3, "test_share": 0.3}
    for seed in (1, 2, 3):
        _, tables = take_in(corpus, f"out{seed}", split_seed=seed, **shares)
        drawn = [row["split"] for row in tables["images"]]
        assert drawn == [by_hash(row["image_id"], seed, 0.3, 0.3) for row in tables["images"]]


def test_params_name_the_readers_that_there_are() -> None:
    assert readers.names() == ["ava", "coco", "conceptual", "dpc", "folder", "pccd", "sample"]
    assert [IngestParams(reader=name).reader for name in readers.names()] == readers.names()
    with pytest.raises(ParamsError, match="no reader is called 'flickr'; did you mean"):
        readers.get("flickr")
    with pytest.raises(ValidationError, match="no reader is called 'flickr'; did you mean"):
        IngestParams(reader="flickr")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from(["0.jpg", "1.jpg", "x", "..", ""]), st.text(max_size=4), st.sampled_from("ab ")))
)
def test_counts_add_up_whatever_the_rows(corpus: Path, take_in: TakeIn, rows: list[tuple[str, str, str]]) -> None:
    (corpus / "comments.csv").unlink(missing_ok=True)
    first = {"image": "2.jpg", "text": "sound"}
    lines = [json.dumps({"image": name, "text": text, "comment_id": key}) for name, text, key in rows]
    (corpus / "c.jsonl").write_text("\n".join([json.dumps(first), *lines]))
    outcome, tables = take_in(corpus)
    assert len(tables["comments"]) + len(tables["quarantine"]) == len(rows) + 1
    assert outcome.metrics["rows_read"] == sum(map(len, tables.values())) == len(rows) + 4
    ids = [row["comment_id"] for row in tables["comments"]]
    assert len(ids) == len(set(ids))
