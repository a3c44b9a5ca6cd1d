"""Counts of words and n-grams over a corpus, merged batch by batch."""

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

_MERGED = 2_000_000  # rows of partial counts that wait at most before they are merged


def counted(values: pa.ChunkedArray | pa.Array, name: str) -> pa.Table:
    """Count the values of a column: a table of `name` and `count`."""
    counts = pc.value_counts(values)
    chunk = counts if isinstance(counts, pa.StructArray) else counts.combine_chunks()
    return pa.table({name: chunk.field("values"), "count": chunk.field("counts")})


def merged(parts: Iterable[pa.Table], name: str) -> pa.Table:
    """Add up tables of counts.

    Parameters
    ----------
    parts : iterable of pyarrow.Table
        As `counted` gives them.
    name : str
        The column that was counted.

    Returns
    -------
    pyarrow.Table
        Each value once, in the order of the values; `count` is their sum.
    """
    waiting: list[pa.Table] = []
    rows = 0
    for part in parts:
        waiting.append(part)
        rows += part.num_rows
        if rows > _MERGED and len(waiting) > 1:
            waiting = [_sum(waiting, name)]
            rows = 0
    if not waiting:
        return pa.table({name: pa.array([], pa.string()), "count": pa.array([], pa.int64())})
    return _sum(waiting, name).sort_by(name)


def _sum(parts: list[pa.Table], name: str) -> pa.Table:
    summed = pa.concat_tables(parts).group_by(name).aggregate([("count", "sum")])
    return summed.rename_columns([name, "count"]).combine_chunks()
