"""The suites of perceptual hashes and of the association graph refuse what cannot be."""

import pytest

from photocritic import tables
from photocritic.core.errors import GateFailed


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def image(**changes):
    usual = {
        "image_id": "i", "path": "0.tar/a.jpg", "width": 1, "height": 1, "format": "JPEG", "sha256": "a",
        "phash": -(2**63), "split": "train", "labels": [],
    }  # fmt: skip
    return usual | changes


def form(**changes):
    usual = {
        "form": "bird fly", "caption": "Birds fly", "comments": 3, "images": 2, "authors": 2, "tokens": 2,
        "polarity": "neutral", "syntax": "verb",
    }  # fmt: skip
    return usual | changes


def edge(**changes):
    usual = {"form": "bird fly", "image_id": "i", "comment_id": "c", "text": "Birds fly", "type": "original"}
    return usual | changes


@pytest.mark.parametrize(
    ("table", "rows", "column"),
    [
        ("images", [image(path="", width=0, height=0)], "phash"),
        ("forms", [form(), form()], "form"),
        ("forms", [form(images=0)], "images"),
        ("forms", [form(polarity="mixed")], "polarity"),
        ("forms", [form(syntax="noun")], "syntax"),
        ("forms", [form(form=" ")], "form"),
        ("edges", [edge(), edge()], "comment_id"),
        ("edges", [edge(type="guess")], "type"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, table, rows, column):
    with pytest.raises(GateFailed) as refusal:
        tables.save(table, tmp_path / "t.parquet", tables.from_rows(table, rows))
    assert column in str(refusal.value).splitlines()[0]


def test_what_can_be_passes(tmp_path):
    images = [image(), image(image_id="text only", path="", width=0, height=0, phash=None)]
    for table, rows in {"images": images, "forms": [form()], "edges": [edge()]}.items():
        assert tables.save(table, tmp_path / f"{table}.parquet", tables.from_rows(table, rows)) == len(rows)
    for table in ("forms", "edges"):
        assert tables.save(table, tmp_path / f"{table}.parquet", tables.from_rows(table, [])) == 0
