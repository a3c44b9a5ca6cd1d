"""Ways to spoil a table's file, as a careless hand or a broken disk would."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

Spoil = Callable[[Path], None]


def _rewritten(change: Callable[[pa.Table], pa.Table]) -> Spoil:
    def spoil(path: Path) -> None:
        table = change(pq.read_table(path))
        path.unlink()  # it may be linked to another
        pq.write_table(table, path)

    return spoil


def _put(table: pa.Table, column: str, values: Any) -> pa.Table:
    return table.set_column(table.schema.get_field_index(column), column, values)


def values(column: str, *new: Any) -> Spoil:
    """Put other values into the first rows of a column."""

    def change(table: pa.Table) -> pa.Table:
        old = table[column].to_pylist()
        return _put(table, column, pa.array([*new, *old[len(new) :]], table.schema.field(column).type))

    return _rewritten(change)


def repeated(rows: int = 2) -> Spoil:
    """Write the first rows twice."""
    return _rewritten(lambda table: pa.concat_tables([table, table.slice(0, rows)]))


def swapped(one: str, other: str) -> Spoil:
    """Give two columns each other's name and place."""

    def change(table: pa.Table) -> pa.Table:
        return _put(_put(table, one, table[other]), other, table[one])

    return _rewritten(change)


def vectors(column: str, change: Callable[[np.ndarray], np.ndarray]) -> Spoil:
    """Change the matrix of a column of vectors."""

    def changed(table: pa.Table) -> pa.Table:
        matrix = np.asarray(change(np.array(table[column].to_pylist(), np.float32)))
        return _put(
            table,
            column,
            pa.FixedSizeListArray.from_arrays(pa.array(matrix.astype(np.float32).ravel()), matrix.shape[1]),
        )

    return _rewritten(changed)


def typed(column: str, kind: pa.DataType) -> Spoil:
    """Write a column in another type."""
    return _rewritten(lambda table: _put(table, column, table[column].cast(kind)))


def emptied() -> Spoil:
    """Leave the columns, and no row."""
    return _rewritten(lambda table: table.slice(0, 0))


def chosen(columns: Callable[[list[str]], list[str]]) -> Spoil:
    """Write some columns, in some order."""
    return _rewritten(lambda table: table.select(columns(table.column_names)))


def latin(column: str) -> Spoil:
    """Write a few texts in Latin-1 among those in UTF-8."""

    def change(table: pa.Table) -> pa.Table:
        texts = [text.encode() for text in table[column].to_pylist()]
        texts[:2] = [text + "très café".encode("latin-1") for text in texts[:2]]
        raw = pa.array(texts, pa.binary())
        return _put(table, column, pa.Array.from_buffers(pa.string(), len(raw), raw.buffers()))

    return _rewritten(change)


def misread(column: str) -> Spoil:
    """Read every other text's UTF-8 as Latin-1."""

    def change(table: pa.Table) -> pa.Table:
        texts = table[column].to_pylist()
        wrong = [f"{text} – “très” bien".encode().decode("latin-1") for text in texts]
        return _put(table, column, pa.array([pair[row % 2] for row, pair in enumerate(zip(texts, wrong, strict=True))]))

    return _rewritten(change)


def leaked(**changes: Any) -> Spoil:
    """Add a copy of a test image to the training images."""

    def change(table: pa.Table) -> pa.Table:
        row = next(row for row in table.to_pylist() if row["split"] == "test")
        return pa.concat_tables(
            [table, pa.Table.from_pylist([row | {"split": "train"} | changes], schema=table.schema)]
        )

    return _rewritten(change)


def cut(share: float) -> Spoil:
    """Keep the beginning of the file alone."""

    def spoil(path: Path) -> None:
        content = path.read_bytes()
        path.unlink()
        path.write_bytes(content[: int(share * len(content))])

    return spoil


def flipped(share: float) -> Spoil:
    """Flip bits of one byte somewhere in the file."""

    def spoil(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[int(share * len(content))] ^= 0x55
        path.unlink()
        path.write_bytes(content)

    return spoil
