"""Rows of a table that are the same thing: keys that repeat, and photographs that stand in two splits."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from photocritic.validation.failures import SHOWN_ROWS, Failure
from photocritic.validation.near_duplicates import near_pairs
from photocritic.validation.outliers import FEW, Places

PART = 16_000_000  # keys that are compared at once: 128 MB of hashes
FLAT = 0  # the perceptual hash of any picture of one colour


def find_leaks(path: Path, fingerprints: Mapping[str, str], key: str) -> list[Failure]:
    """Find the rows of a table that stand in more than one split.

    Parameters
    ----------
    path : Path
        A table with a column `split`.
    fingerprints : mapping of str to str
        Columns whose values show that two rows are the same thing, and what a message calls that. Whole numbers are
        perceptual hashes, of which near ones show it too.
    key : str
        The column that identifies a row, for messages.

    Returns
    -------
    list of Failure
        One, with the first few; none where no row leaks.
    """
    splits = pq.read_table(path, columns=["split"])["split"].combine_chunks().dictionary_encode()
    found: dict[tuple[int, ...], str] = {}
    for column, how in fingerprints.items():
        for search in (_in_two, _near_in_two):
            for rows in search(path, column, np.asarray(pc.fill_null(splits.indices, -1))):
                found.setdefault(tuple(rows), how)
    lines = tuple(_line(path, rows, how, key) for rows, how in list(found.items())[:SHOWN_ROWS])
    return [Failure("each picture in one split alone", "split", f"{len(found)} in two", lines)] if found else []


def _in_two(path: Path, column: str, splits: NDArray[np.integer]) -> list[list[int]]:
    """Return, for each value that stands in two splits, a row of the one and a row of the other."""
    hashes, usable = [np.empty(0, np.uint64)], [np.empty(0, np.bool_)]
    for values, some in hashed(path, [column]):
        hashes.append(some)
        usable.append(_is_usable(values[0]))
    both = np.concatenate(hashes)
    rows = np.flatnonzero(np.concatenate(usable))
    order = rows[np.lexsort((splits[rows], both[rows]))]
    alike = both[order][1:] == both[order][:-1]
    differ = splits[order][1:] != splits[order][:-1]
    return [sorted((int(order[place]), int(order[place + 1]))) for place in np.flatnonzero(alike & differ)]


def _near_in_two(path: Path, column: str, splits: NDArray[np.integer]) -> list[list[int]]:
    """Return pairs of rows of two splits whose perceptual hashes are near each other and not equal."""
    values = pq.read_table(path, columns=[column])[column].combine_chunks()
    if not pa.types.is_integer(values.type):
        return []
    known = pc.fill_null(values, FLAT).to_numpy().view(np.uint64)
    hashes, rows = np.unique(known, return_index=True)
    pairs = rows[near_pairs(hashes)]
    return [sorted(pair) for pair in pairs[splits[pairs[:, 0]] != splits[pairs[:, 1]]].tolist()]


def _is_usable(values: pa.Array) -> NDArray[np.bool_]:
    """Return which rows have a value that distinguishes pictures."""
    nothing = pc.equal(values, FLAT if pa.types.is_integer(values.type) else b"")
    return ~np.asarray(pc.fill_null(nothing, True))


def _line(path: Path, rows: tuple[int, ...], how: str, key: str) -> str:
    some = pq.read_table(path, columns=[key, "split"]).take(pa.array(rows)).to_pylist()
    return " and ".join(f"{row[key]} ({row['split']})" for row in some) + f": {how}"


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
    """Return texts as bytes, which need not be UTF-8."""
    columns = [column.cast(pa.binary()) if pa.types.is_string(column.type) else column for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)
