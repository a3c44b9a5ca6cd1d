"""Parquet files of image-text pairs: what a few bytes repeat, and captions of another type."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from photocritic.ingest.records import Comment, Image, Record, Rejected

Read = Callable[..., list[Record]]


def of(kind: Any, records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


# a few bytes of Parquet that stand for gigabytes
@pytest.mark.parametrize("column", ["caption", "jpg", "image"])
def test_a_value_that_parquet_repeats_is_not_multiplied(tmp_path: Path, read: Read, column: str) -> None:
    large = b"x" * 4_000_000
    values: dict[str, Any] = {"caption": ["short"] * 64, "jpg": [b"j"] * 64}
    values[column] = [{"bytes": large, "path": None}] * 64 if column == "image" else [large] * 64
    if column == "image":
        del values["jpg"]
    pq.write_table(pa.table(values), tmp_path / "0.parquet", compression="zstd")
    assert (tmp_path / "0.parquet").stat().st_size < 10_000
    before = pa.total_allocated_bytes()
    tracemalloc.start()
    kinds = []
    for record in _stream(tmp_path):
        kinds.append(type(record))
        assert pa.total_allocated_bytes() - before < 100_000_000
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()
    assert kinds == [Image, Rejected if column == "caption" else Comment] * 64


def _stream(folder: Path) -> Any:
    from photocritic.config import IngestParams
    from photocritic.ingest import readers

    return readers.get("conceptual").read(folder, IngestParams(reader="conceptual", source=str(folder)), 7)


# a list where a text should be
@pytest.mark.parametrize("value", [["a"], {"a": 1}, 1.5])
def test_a_caption_of_another_type_is_no_text(tmp_path: Path, read: Read, value: Any) -> None:
    pq.write_table(pa.table({"caption": [value, value], "url": ["u", "v"]}), tmp_path / "0.parquet")
    records = read("conceptual", tmp_path)
    assert [item.reason.split(":")[0] for item in of(Rejected, records)] == ["malformed row"] * 2
    assert not of(Comment, records)
