"""The rows of a large table that fail a check: a few of each batch, found by looking at all of them."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from photocritic.validation.checks import Check

FEW = 20  # rows that are shown of a batch and a check
DIFFERENT = 200  # values that a column of few may have in a batch for each of them to be looked at
PART = 16_000_000  # keys that are compared at once: 128 MB of hashes

Places = NDArray[np.int64]


def places(table: pa.Table, checks: Sequence[Check]) -> Places:
    """Find the rows of a batch that fail a check, so that a sample of a large table has them.

    Great Expectations looks at the sample, and alone decides; a row too many does no harm. Checks that some rows may
    fail (`mostly`) are left to the even sample, whose shares they are about, and keys to `repeated`.

    Parameters
    ----------
    table : pyarrow.Table
        Plain columns; checks of others are passed over.
    checks : sequence of Check
        The checks of a table.

    Returns
    -------
    ndarray of int64
        A few rows of each check that some fail, ascending, and the first row of each value in columns whose number of
        different values is checked.
    """
    found = [np.empty(0, np.int64)]
    for check in checks:
        names = [check.arguments[name] for name in ("column", "column_A", "column_B") if name in check.arguments]
        find = _FAILING.get(check.kind)
        if find and set(names) <= set(table.column_names) and check.arguments.get("mostly", 1) == 1:
            found.append(find(check, *(table.column(name).combine_chunks() for name in names)))
    return np.unique(np.concatenate(found))


def _outside(check: Check, values: pa.Array) -> Places:
    low, high = check.arguments["min_value"], check.arguments["max_value"]
    below = np.empty(0, np.int64) if low is None else _few(pc.less(values, low))
    return below if high is None else np.concatenate([below, _few(pc.greater(values, high))])


def _not_among(check: Check, values: pa.Array) -> Places:
    known = pa.array(list(check.arguments["value_set"]), values.type)
    return _few(pc.and_(pc.invert(pc.is_in(values, value_set=known)), values.is_valid()))


def _like(check: Check, values: pa.Array) -> pa.Array:
    return pc.match_substring_regex(values, _re2(check.arguments["regex"]))


def _few(mask: pa.Array) -> Places:
    return np.flatnonzero(np.asarray(pc.fill_null(mask, False)))[:FEW]


def _re2(regex: str) -> str:
    r"""Write an expression for RE2, which takes no zero in it, and to which a blank is one of ASCII's."""
    return regex.replace("\x00", "\\x00").replace(r"\S", r"[^\s\x0b\x1c-\x1f\x{85}\p{Z}]")


def _first_of_each(array: pa.Array) -> Places:
    coded = array.dictionary_encode()
    if len(coded.dictionary) > DIFFERENT:
        return np.empty(0, np.int64)
    return np.unique(np.asarray(pc.fill_null(coded.indices, -1)), return_index=True)[1]


_FAILING: dict[str, Callable[..., Places]] = {
    "ExpectColumnValuesToNotBeNull": lambda _, values: _few(pc.is_null(values, nan_is_null=True)),
    "ExpectColumnValuesToMatchRegex": lambda check, values: _few(pc.invert(_like(check, values))),
    "ExpectColumnValuesToNotMatchRegex": lambda check, values: _few(_like(check, values)),
    "ExpectColumnValuesToBeInSet": _not_among,
    "ExpectColumnValuesToBeBetween": _outside,
    "ExpectColumnPairValuesAToBeGreaterThanB": lambda _, values, others: _few(pc.less(values, others)),
    "ExpectColumnUniqueValueCountToBeBetween": lambda _, values: _first_of_each(values),
}


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
