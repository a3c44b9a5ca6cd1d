"""Tables: what is saved can be loaded, and nothing half-written or of another form ever stands."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from photocritic import tables
from photocritic.core.errors import GateFailed, TableError


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def comment(number, **changes):
    row = {"comment_id": f"c{number}", "image_id": "i", "author_id": None, "text": "a", "style": None, "source": "s"}
    return {**row, **changes}


def test_rows_come_back_as_they_were_saved(tmp_path):
    rows = [comment(n, text=f"text {n}") for n in range(10)]
    assert tables.save("comments", tmp_path / "c.parquet", tables.from_rows("comments", rows), rows=10) == 10
    assert tables.load("comments", tmp_path / "c.parquet").to_pylist() == rows


def test_a_stream_of_batches_is_saved_and_scanned_in_order(tmp_path):
    pieces = (tables.from_rows("comments", [comment(n) for n in range(k, k + 100)]) for k in range(0, 1000, 100))
    assert tables.save("comments", tmp_path / "c.parquet", pieces) == 1000
    batches = list(tables.scan("comments", tmp_path / "c.parquet", columns=["comment_id"], rows=64))
    assert max(batch.num_rows for batch in batches) <= 64
    assert [row["comment_id"] for batch in batches for row in batch.to_pylist()] == [f"c{n}" for n in range(1000)]


def test_equal_tables_are_equal_files(tmp_path):
    rows = tables.from_rows("comments", [comment(n) for n in range(50)])
    for name in ("a", "b"):
        tables.save("comments", tmp_path / f"{name}.parquet", rows)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_nothing_stands_where_a_gate_failed(tmp_path):
    with pytest.raises(GateFailed, match="comment_id"):
        tables.save("comments", tmp_path / "c.parquet", tables.from_rows("comments", [comment(1), comment(1)]))
    assert list(tmp_path.glob("*.parquet")) == []


def test_what_stood_before_stays_when_saving_breaks_off(tmp_path):
    path = tmp_path / "c.parquet"
    tables.save("comments", path, tables.from_rows("comments", [comment(1)]))
    before = path.read_bytes()

    def breaking():
        yield tables.from_rows("comments", [comment(2)])
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        tables.save("comments", path, breaking())
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir() if item.suffix == ".parquet"] == ["c.parquet"]


@pytest.mark.parametrize(
    ("change", "column"),
    [
        (lambda t: t.rename_columns(["comment_id", "image", *t.column_names[2:]]), "image_id"),
        (lambda t: t.set_column(3, "text", pa.array([1] * t.num_rows)), "text"),
        (lambda t: t.drop_columns(["source"]), "source"),
    ],
)
def test_a_table_edited_by_hand_is_refused_with_its_column(tmp_path, change, column):
    path = tmp_path / "c.parquet"
    tables.save("comments", path, tables.from_rows("comments", [comment(n) for n in range(3)]))
    pq.write_table(change(pq.read_table(path)), path)
    with pytest.raises(GateFailed, match=f"gate of table 'comments' failed at .*c.parquet: {column}"):
        tables.load("comments", path)


def test_missing_truncated_and_unknown_tables_are_told_apart(tmp_path):
    path = tmp_path / "c.parquet"
    with pytest.raises(TableError, match="no such table"):
        tables.load("comments", path)
    tables.save("comments", path, tables.from_rows("comments", [comment(1)]))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(TableError, match="not a readable Parquet file"):
        tables.load("comments", path)
    with pytest.raises(TableError, match="no table is called"):
        tables.from_rows("comment", [])


def test_values_that_do_not_fit_their_column_are_refused(tmp_path):
    with pytest.raises(TableError, match="'comments'"):
        tables.from_rows("comments", [comment(1, text=5)])
    wrong = pa.table({"image_id": ["a"], "other": [1]})
    with pytest.raises(TableError, match="unknown columns"):
        tables.save("references", tmp_path / "r.parquet", wrong)
