"""What a gate looks at: a bounded sample of a table, with nested columns made plain."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from photocritic.validation import duplicates, outliers
from photocritic.validation.checks import GRID_SUFFIX, NOT_UTF8, Check

if TYPE_CHECKING:
    import pandas as pd

MAX_ROWS = 100_000  # rows of a sample; Great Expectations is slow on more
BATCH = 50_000  # rows looked at together ...
NUMBERS = 8_000_000  # ... and the numbers of their vectors and grids: 32 MB


def sample(path: Path, key: Sequence[str] = (), checks: Sequence[Check] = ()) -> "pd.DataFrame":
    """Read the part of a Parquet file that its gate checks.

    Parameters
    ----------
    path : Path
        The Parquet file.
    key : sequence of str
        The columns that identify its rows.
    checks : sequence of Check
        Its checks.

    Returns
    -------
    pandas.DataFrame
        All rows of a table of at most `MAX_ROWS`; of a larger one so many evenly spread rows, and a few of those that
        fail a check (see `outliers`), so that one bad row among millions is among them. A vector column `v` becomes
        `v_min`, `v_max` and `v_sum` (null where a number is not finite), a grid `v_is_finite`, and a list its length
        (null where it or a value of it is null). The columns that checks derive are added, and `not_utf8`, which names
        the column whose text is not UTF-8.

    Raises
    ------
    pyarrow.ArrowException, OSError
        The file is damaged.
    """
    of_rows = [check for check in checks if check.derive and not check.of_sample]
    of_sample = [check for check in checks if check.derive and check.of_sample]
    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        rows = file.metadata.num_rows
        step = -(-rows // MAX_ROWS) if rows else 1
        twice = duplicates.repeated(path, key) if step > 1 and key else np.empty(0, np.int64)
        pieces, seen = [_plain(file.schema_arrow.empty_table(), of_rows)], 0
        for batch in file.iter_batches(batch_size=_rows_at_once(file.schema_arrow)):
            piece = _plain(pa.table(batch), of_rows)
            if step > 1:
                odd = twice[(twice >= seen) & (twice < seen + batch.num_rows)] - seen
                even = np.arange((-seen) % step, batch.num_rows, step)
                piece = piece.take(np.union1d(np.union1d(even, odd), outliers.places(piece, checks)))
            seen += batch.num_rows
            pieces.append(piece)
    frame: pd.DataFrame = _derived(pa.concat_tables(pieces), of_sample).to_pandas()
    return frame


def _rows_at_once(schema: pa.Schema) -> int:
    """Return how many rows are looked at together, so that their numbers fit into memory."""
    numbers = sum(_width(field.type) for field in schema)
    return max(1, min(BATCH, NUMBERS // max(1, numbers)))


def _width(kind: pa.DataType) -> int:
    """Return how many numbers a row has in a column of vectors or grids; other columns have none."""
    if not pa.types.is_fixed_size_list(kind):
        return 0
    return int(kind.list_size) * max(1, _width(kind.value_type))


def _plain(table: pa.Table, checks: Sequence[Check]) -> pa.Table:
    """Return a batch with the columns that checks derive from its rows, and without any list."""
    table = _derived(_with_readable_texts(table), checks)
    for name in table.column_names:
        column = table.column(name)
        if pa.types.is_fixed_size_list(column.type):
            table = _in_numbers(table.drop_columns(name), name, column.combine_chunks())
        elif pa.types.is_list(column.type):
            table = table.set_column(table.column_names.index(name), name, _lengths(column.combine_chunks()))
    return table


def _derived(table: pa.Table, checks: Sequence[Check]) -> pa.Table:
    for check in checks:
        assert check.derive is not None
        table = table.append_column(check.arguments["column"], check.derive(table))
    return table


def _in_numbers(table: pa.Table, name: str, lists: pa.FixedSizeListArray) -> pa.Table:
    matrix = _numbers(lists)
    finite = np.isfinite(matrix).all(axis=1)
    if pa.types.is_fixed_size_list(lists.type.value_type):
        return table.append_column(f"{name}{GRID_SUFFIX}", pa.array(finite))
    for suffix, numbers in (("min", matrix.min(axis=1)), ("max", matrix.max(axis=1)), ("sum", matrix.sum(axis=1))):
        table = table.append_column(f"{name}_{suffix}", pa.array(numbers, type=pa.float64(), mask=~finite))
    return table


def _numbers(lists: pa.FixedSizeListArray) -> NDArray[np.floating]:
    """Return the numbers of each row, nested ones side by side; those of a null are not numbers."""
    inner, there = lists.flatten(), np.asarray(lists.is_valid())
    nested = pa.types.is_fixed_size_list(inner.type)
    flat = _numbers(inner) if nested else np.asarray(inner.to_numpy(zero_copy_only=False)).reshape(-1, 1)
    width = lists.type.list_size * flat.shape[1]
    found = np.full((len(lists), width), np.nan, flat.dtype)
    found[there] = flat.reshape(-1, width)
    return found


def _lengths(lists: pa.ListArray) -> pa.Array:
    has_null = np.zeros(len(lists), dtype=bool)
    if lists.flatten().null_count:
        has_null[np.asarray(pc.list_parent_indices(lists).filter(pc.is_null(lists.flatten())))] = True
    return pc.if_else(pa.array(has_null), None, pc.list_value_length(lists))


def _with_readable_texts(table: pa.Table) -> pa.Table:
    """Write bytes that are not UTF-8 as escapes, and name the columns that have such."""
    wrong = [""] * table.num_rows
    for place, name in enumerate(table.column_names):
        column = table.column(name)
        if not pa.types.is_string(column.type) or _is_utf8(column):
            continue
        texts = column.cast(pa.binary()).to_pylist()
        readable = [text if text is None else text.decode(errors="backslashreplace") for text in texts]
        table = table.set_column(place, table.schema.field(place), pa.array(readable, pa.string()))
        for row, (text, escaped) in enumerate(zip(texts, readable, strict=True)):
            wrong[row] = name if text is not None and text != (escaped or "").encode() else wrong[row]
    return table.append_column(NOT_UTF8, pa.array(wrong, pa.string()))


def _is_utf8(column: pa.ChunkedArray) -> bool:
    try:
        column.cast(pa.binary()).cast(pa.string())
    except pa.ArrowInvalid:
        return False
    return True
