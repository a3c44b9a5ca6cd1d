"""What a suite looks at: a bounded sample of a table, with nested columns told in plain ones."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

if TYPE_CHECKING:
    import pandas as pd

MAX_ROWS = 100_000  # rows that are handed to pandas at most; Great Expectations is slow on more
BATCH, WIDE_BATCH = 50_000, 1_000  # rows looked at together; fewer where each holds the numbers of a grid


def view(path: Path) -> "pd.DataFrame":
    """Read the part of a Parquet file that its suite checks.

    Parameters
    ----------
    path : Path
        The Parquet file.

    Returns
    -------
    pandas.DataFrame
        At most `MAX_ROWS` evenly spread rows. A vector column `v` becomes `v_min`, `v_max` and `v_sum` (null where a
        number is not finite); `grid_is_finite` tells the same of a grid, and holds where there is none;
        `verdict_is_consistent` tells, where a table has verdicts, that exactly the rejected rows have a reason;
        `phash_is_of_an_image` tells that nothing but an image at hand has a perceptual hash.
    """
    with pq.ParquetFile(path) as file:
        rows = file.metadata.num_rows
        step = -(-rows // MAX_ROWS) if rows else 1
        pieces, seen = [], 0
        at_once = WIDE_BATCH if "grid" in file.schema_arrow.names else BATCH
        for batch in file.iter_batches(batch_size=at_once):
            wanted = np.arange((-seen) % step, batch.num_rows, step)
            seen += batch.num_rows
            pieces.append(_plain(pa.table(batch) if step == 1 else pa.table(batch).take(wanted)))
        schema = file.schema_arrow
    table = pa.concat_tables(pieces) if pieces else _plain(schema.empty_table())
    frame: pd.DataFrame = _with_fingerprints(_with_verdicts(table)).to_pandas()
    return frame


def _plain(table: pa.Table) -> pa.Table:
    if "vector" in table.column_names:
        table = _with_grid(table)
    for name in table.column_names:
        column = table.column(name)
        if pa.types.is_fixed_size_list(column.type):
            table = _told_in_numbers(table.drop_columns(name), name, column)
        elif pa.types.is_list(column.type):
            table = table.drop_columns(name)
    return table


def _told_in_numbers(table: pa.Table, name: str, column: pa.ChunkedArray) -> pa.Table:
    values = column.combine_chunks()
    flat = pc.fill_null(values.flatten(), float("nan")).to_numpy(zero_copy_only=False)
    matrix = flat.reshape(-1, column.type.list_size)
    if len(matrix) != table.num_rows:  # a null row has no values to reshape: count it as not finite
        matrix = np.full((table.num_rows, 1), np.nan, dtype=np.float32)
    finite = np.isfinite(matrix).all(axis=1)
    for suffix, numbers in (("min", matrix.min(axis=1)), ("max", matrix.max(axis=1)), ("sum", matrix.sum(axis=1))):
        table = table.append_column(f"{name}_{suffix}", pa.array(numbers, type=pa.float64(), mask=~finite))
    if name == "vector":
        differ = len(matrix) < 2 or bool((matrix != matrix[0]).any())
        table = table.append_column("vectors_differ", pa.array(np.full(len(matrix), differ)))
    return table


def _with_grid(table: pa.Table) -> pa.Table:
    finite = np.ones(table.num_rows, dtype=bool)
    if "grid" in table.column_names:
        cells = table.column("grid").combine_chunks().flatten().flatten()
        numbers = cells.to_numpy(zero_copy_only=False)  # a null is nan
        finite = np.isfinite(numbers).reshape(len(finite), -1).all(axis=1)
        table = table.drop_columns("grid")
    return table.append_column("grid_is_finite", pa.array(finite))


def _with_verdicts(table: pa.Table) -> pa.Table:
    for verdict in ("kept", "accepted"):
        if verdict in table.column_names and "reason" in table.column_names:
            kept = pc.fill_null(table.column(verdict), False)
            silent = pc.equal(pc.fill_null(table.column("reason"), ""), "")
            table = table.append_column("verdict_is_consistent", pc.equal(kept, silent))
    return table


def _with_fingerprints(table: pa.Table) -> pa.Table:
    if {"phash", "path"}.issubset(table.column_names):
        is_text_only = pc.equal(pc.fill_null(table.column("path"), ""), "")
        has_none = pc.is_null(table.column("phash"))
        table = table.append_column("phash_is_of_an_image", pc.or_(pc.invert(is_text_only), has_none))
    return table
