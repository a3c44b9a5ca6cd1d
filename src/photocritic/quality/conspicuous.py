"""The rows of a large table that would fail a check if any did: few of each batch, found without looking at each."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

FEW = 20  # rows of one kind that are shown of a batch
DIFFERENT = 200  # values that a column may have in a batch for its every value to be looked at
PART = 16_000_000  # keys that are compared at once: 128 MB of hashes

Places = NDArray[np.int64]


def places(table: pa.Table) -> Places:
    """Find the rows of a batch that stand out in some column.

    Parameters
    ----------
    table : pyarrow.Table
        Plain columns.

    Returns
    -------
    ndarray of int64
        Rows with a null, with the least or the greatest number, with a text that is blank or has characters which no
        text should have, and the first row of each value in columns of few.
    """
    found = [np.empty(0, np.int64)]
    for column in table.columns:
        array = column.combine_chunks()
        found.append(_where(pc.is_null(array, nan_is_null=True)))
        if pa.types.is_integer(array.type) or pa.types.is_floating(array.type):
            found.extend(_where(pc.equal(array, value)) for value in pc.min_max(array).values())
        elif pa.types.is_string(array.type):
            found.append(_where(pc.invert(pc.match_substring_regex(array, r"\S"))))
            found.append(_where(pc.match_substring_regex(array, "[\\x00\\x{fffd}]")))
        found.append(_first_of_each(array))
    return np.unique(np.concatenate(found))


def _where(mask: pa.Array) -> Places:
    return np.flatnonzero(np.asarray(pc.fill_null(mask, False)))[:FEW]


def _first_of_each(array: pa.Array) -> Places:
    if pa.types.is_floating(array.type):
        return np.empty(0, np.int64)
    coded = pc.dictionary_encode(array)
    if len(coded.dictionary) > DIFFERENT:
        return np.empty(0, np.int64)
    return np.unique(np.asarray(pc.fill_null(coded.indices, -1)), return_index=True)[1]


def repeated(path: Path, keys: Sequence[str]) -> Places:
    """Find rows of a table whose key other rows have too.

    Keys are compared by hashes of 64 bits, `PART` of them at once, so that memory does not grow with the table.

    Parameters
    ----------
    path : Path
        The Parquet file.
    keys : sequence of str
        The columns that make up the key.

    Returns
    -------
    ndarray of int64
        A few of their positions, ascending.
    """
    parts = -(-pq.read_metadata(path).num_rows // PART)
    for part in range(parts):
        hashes, rows = _part_of(path, keys, part, parts)
        order = np.argsort(hashes, kind="stable")
        alike = np.flatnonzero(hashes[order][1:] == hashes[order][:-1])[:FEW]
        if len(alike):
            return np.unique(rows[order[np.concatenate([alike, alike + 1])]])
    return np.empty(0, np.int64)


def _part_of(path: Path, keys: Sequence[str], part: int, parts: int) -> tuple[NDArray[np.uint64], Places]:
    found: list[tuple[NDArray[np.uint64], Places]] = []
    start = 0
    for _, hashes in hashed(path, keys):
        mine = np.flatnonzero(hashes % np.uint64(parts) == part)
        found.append((hashes[mine], mine + start))
        start += len(hashes)
    return np.concatenate([some for some, _ in found]), np.concatenate([some for _, some in found])


def hashed(path: Path, columns: Sequence[str]) -> Iterator[tuple[pa.RecordBatch, NDArray[np.uint64]]]:
    """Stream some columns, with texts as bytes, and hashes of 64 bits of their rows."""
    import pandas as pd

    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(columns=list(columns)):
            values = _as_bytes(batch.select(list(columns)))
            hashes = pd.util.hash_pandas_object(values.to_pandas(), index=False)
            yield values, np.asarray(hashes, np.uint64)


def _as_bytes(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Take texts as bytes, which need not be UTF-8."""
    columns = [column.cast(pa.binary()) if pa.types.is_string(column.type) else column for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)
