"""Gates: each corruption a table can suffer is caught, and the message names the column and some rows."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from photocritic import tables
from photocritic.core.errors import GateFailed
from photocritic.validation import gate, sampling


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def caption(number, **changes):
    row = {
        "comment_id": f"c{number}",
        "image_id": "i",
        "author_id": None,
        "text": "a fine sky",
        "style": None,
        "source": "s",
        "sentence": 0,
        "cleaned": "a fine sky",
        "tokens": ["a", "fine", "sky"],
        "ngrams": ["sky"],
        "form": None,
        "score": 21.0,
        "kept": True,
        "reason": "",
    }
    return {**row, **changes}


def image(number, **changes):
    row = {
        "image_id": f"i{number}",
        "path": "0.tar/a.jpg",
        "width": 1,
        "height": 1,
        "format": "JPEG",
        "sha256": f"{number:064x}" if isinstance(number, int) else number,
        "split": "train",
        "labels": [],
    }
    return {**row, **changes}


@pytest.mark.parametrize(
    ("table", "rows", "column"),
    [
        ("images", [image(1), image(1)], "image_id"),
        ("images", [image(1, split="training")], "split"),
        ("images", [image(1, width=-3)], "width"),
        ("images", [], "rows"),
        ("captions", [caption(1, score=-2.0), caption(2)], "score"),
        ("captions", [caption(1, score=float("nan")), caption(2)], "score"),
        ("captions", [caption(1, kept=False), caption(2)], "verdict_is_consistent"),
        ("captions", [caption(1, reason="too short"), caption(2)], "verdict_is_consistent"),
        ("captions", [caption(1, text="  "), caption(2)], "text"),
        ("predictions", [{"image_id": "a", "variant": "x", "caption": "sky", "logprob": 0.7}], "logprob"),
    ],
)
def test_a_corrupted_table_is_refused_with_its_column(tmp_path, table, rows, column):
    with pytest.raises(GateFailed) as refusal:
        tables.save(table, tmp_path / "t.parquet", tables.from_rows(table, rows))
    assert column in str(refusal.value).splitlines()[0]


@pytest.mark.parametrize(
    ("values", "column"),
    [
        ([[0.5, 0.2], [0.5, 0.5]], "topics_sum"),
        ([[1.5, -0.5], [0.5, 0.5]], "topics_min"),
        ([[float("nan"), 1.0], [0.5, 0.5]], "topics_sum"),
    ],
)
def test_topics_must_be_distributions(tmp_path, values, column):
    rows = pa.array(values, type=pa.list_(pa.float32(), 2))
    with pytest.raises(GateFailed, match=column):
        tables.save("topics", tmp_path / "t.parquet", pa.table({"image_id": ["a", "b"], "topics": rows}))


def test_features_that_are_all_alike_are_refused(tmp_path):
    rows = pa.FixedSizeListArray.from_arrays(pa.array(np.ones(6, dtype=np.float32)), 2)
    with pytest.raises(GateFailed, match="vector: expected vectors that are not all alike; found 3 alike"):
        tables.save("features", tmp_path / "t.parquet", pa.table({"image_id": ["a", "b", "c"], "vector": rows}))


def test_rows_that_went_missing_are_noticed(tmp_path):
    with pytest.raises(GateFailed, match="rows"):
        tables.save("captions", tmp_path / "t.parquet", tables.from_rows("captions", [caption(1)]), rows=2)


def test_a_failed_gate_shows_offending_rows_and_leaves_a_page(tmp_path):
    rows = [image(number) for number in range(30)]
    rows[17]["split"] = "holdout"
    with pytest.raises(GateFailed) as refusal:
        tables.save("images", tmp_path / "data" / "images.parquet", tables.from_rows("images", rows))
    message = str(refusal.value)
    assert "image_id=i17" in message
    assert "1 of 30 rows, such as 'holdout'" in message
    assert (tmp_path / gate.DATA_DOCS / "data-images" / "index.html").is_file()


def test_a_large_table_is_looked_at_in_an_even_sample(tmp_path, monkeypatch):
    monkeypatch.setattr(sampling, "MAX_ROWS", 100)
    path = tmp_path / "t.parquet"
    tables.save("images", path, tables.from_rows("images", [image(number) for number in range(1000)]))
    seen = sampling.sample(path)["image_id"].tolist()
    assert {f"i{number}" for number in range(0, 1000, 10)} <= set(seen)
    assert len(seen) < 150


@pytest.mark.parametrize(
    ("change", "column"),
    [({"image_id": "i3"}, "image_id"), ({"split": "x"}, "split"), ({"width": -1}, "width"), ({"path": " "}, "path")],
)
def test_one_bad_row_of_a_large_table_is_found(tmp_path, monkeypatch, change, column):
    monkeypatch.setattr(sampling, "MAX_ROWS", 100)
    rows = [image(number) for number in range(1000)]
    rows[777] |= change
    with pytest.raises(GateFailed, match=f"images.parquet: {column}: expected"):
        tables.save("images", tmp_path / "images.parquet", tables.from_rows("images", rows))


def test_the_page_of_a_failure_goes_when_the_table_is_written_anew_and_not_when_it_is_loaded(tmp_path):
    path = tmp_path / "data" / "images.parquet"
    with pytest.raises(GateFailed):
        tables.save("images", path, tables.from_rows("images", [image(1, split="x")]))
    page = gate.docs_page(path)
    assert page.is_file()
    pq.write_table(tables.from_rows("images", [image(1)]), path)  # mended by hand
    beside = gate.DATA_DOCS / "data-comments" / "index.html"
    beside.parent.mkdir()
    beside.write_text("another table's")
    assert tables.load("images", path).num_rows == 1
    assert page.is_file()
    tables.save("images", path, tables.from_rows("images", [image(1)]))
    assert not page.parent.exists()
    assert beside.is_file()


def test_loading_a_table_removes_nothing_from_the_folder_at_hand(tmp_path, monkeypatch):
    path = tmp_path / "data" / "images.parquet"
    tables.save("images", path, tables.from_rows("images", [image(1)]))
    monkeypatch.chdir(tmp_path / "data")
    own = gate.docs_page(path)
    own.parent.mkdir(parents=True)
    own.write_text("something else of this name")
    assert tables.load("images", path).num_rows == 1
    assert own.is_file()
