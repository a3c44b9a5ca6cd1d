"""The only load and save of a table: streaming, atomic, and gated on both sides."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from photocritic import validation
from photocritic.core.declaration import require_declared
from photocritic.core.errors import TableError
from photocritic.core.files import atomic_file
from photocritic.core.generation import shown
from photocritic.tables.table import EVERY_ROW, TableView, find

ROW_GROUP = 50_000  # rows; what one batch of a streamed table holds at most

_passed: set[tuple[Any, ...]] = set()  # the files that have passed their gates in this process


def load(table: str, path: Path) -> pa.Table:
    """Read a whole table through its gate.

    Parameters
    ----------
    table : str
        The table's name, which chooses its schema and its checks.
    path : Path
        The Parquet file.

    Returns
    -------
    pyarrow.Table
        All rows.

    Raises
    ------
    TableError
        The file is missing or is not Parquet.
    GateFailed
        It has other columns, or a check of the table's suite failed.
    """
    check(table, path)
    return pq.read_table(path)


def scan(
    table: str, path: Path, columns: list[str] | None = None, view: TableView = EVERY_ROW, rows: int = ROW_GROUP
) -> Iterator[pa.RecordBatch]:
    """Stream a table through its gate; memory is bounded by one batch.

    Parameters
    ----------
    table, path
        As in `load`.
    columns : list of str, optional
        The columns wanted; all by default.
    view : TableView
        The rows wanted; all by default.
    rows : int
        Rows that are read at once: a batch has no more.

    Yields
    ------
    pyarrow.RecordBatch
        The rows in order.

    Raises
    ------
    TableError, GateFailed
        As in `load`, before the first batch.
    """
    check(table, path)
    read = None if columns is None else list(dict.fromkeys([*columns, *view.columns]))
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=rows, columns=read):
            wanted = batch if view is EVERY_ROW else batch.filter(view.mask(batch))
            yield wanted if columns is None else wanted.select(columns)


def check(table: str, path: Path) -> None:
    """Check a table without reading it, as before its parts are read.

    A file that has passed in this process, and that has not been written to since, is not checked again.

    Raises
    ------
    TableError, GateFailed
        As in `load`.
    """
    require_declared(path)
    footer = _footer(path)
    state = path.stat()
    seen = (table, path.absolute(), state.st_ino, state.st_size, state.st_mtime_ns)
    if seen in _passed:
        return
    known, found = find(table), footer.schema.to_arrow_schema()
    if wrong := known.wrong_columns(found):
        validation.refuse(table, path, wrong)
    with _damage_named(path):
        validation.check(known, known.schema_like(found), path, shown_as=shown(path))
    _passed.add(seen)


def part(table: str, path: Path, start: int, rows: int) -> pa.Table:
    """Read some rows of a table that has passed its gate.

    Parameters
    ----------
    table, path
        As in `load`.
    start, rows : int
        The first row, and how many; fewer at the table's end.

    Returns
    -------
    pyarrow.Table
        The rows in order.
    """
    with pq.ParquetFile(path) as file:
        groups: list[int] = []
        first = begin = 0
        for group in range(file.num_row_groups):
            size = file.metadata.row_group(group).num_rows
            if begin < start + rows and begin + size > start:
                first = first if groups else begin
                groups.append(group)
            begin += size
        found = file.read_row_groups(groups) if groups else file.schema_arrow.empty_table()
    return found.slice(start - first, rows).combine_chunks().cast(find(table).schema_like(found.schema))


def count(path: Path) -> int:
    """Count the rows of a table file without reading them.

    Raises
    ------
    TableError
        The file is missing or is not Parquet.
    """
    return int(_footer(path).num_rows)


def save(table: str, path: Path, data: pa.Table | Iterable[pa.RecordBatch | pa.Table], rows: int | None = None) -> int:
    """Write a table and check it; nothing stands at `path` before the gate has passed.

    Parameters
    ----------
    table : str
        The table's name.
    path : Path
        The Parquet file to write.
    data : pyarrow.Table or iterable of batches
        The rows; batches are written as they come. An iterable must yield at least one batch.
    rows : int, optional
        The number of rows that must be there.

    Returns
    -------
    int
        The number of rows written.

    Raises
    ------
    TableError
        Columns or types differ from the schema.
    GateFailed
        A check of the table's suite failed.
    """
    batches = [data] if isinstance(data, pa.Table) else data
    writer: pq.ParquetWriter | None = None
    with atomic_file(path) as temporary:
        try:
            for batch in batches:
                piece = pa.table(batch)
                if writer is None:
                    schema = find(table).schema_like(piece.schema)
                    writer = pq.ParquetWriter(temporary, schema, compression="zstd", write_page_checksum=True)
                writer.write_table(_conform(table, piece, writer.schema), row_group_size=ROW_GROUP)
        finally:
            if writer is not None:
                writer.close()
        if writer is None:
            raise TableError(f"{path}: nothing to write into table '{table}'")
        validation.check(find(table), writer.schema, temporary, shown_as=shown(path), rows=rows)
        written = int(pq.read_metadata(temporary).num_rows)
    validation.remove_docs(shown(path))
    return written


def from_rows(table: str, rows: list[dict[str, Any]]) -> pa.Table:
    """Return a table of fixed schema made from dictionaries, one a row; without rows an empty table.

    Raises
    ------
    TableError
        A value does not fit its column.
    """
    schema = find(table).schema()
    try:
        return pa.Table.from_pylist(rows, schema=schema)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise TableError(f"table '{table}': {error}") from None


def _conform(table: str, piece: pa.Table, schema: pa.Schema) -> pa.Table:
    missing = [name for name in schema.names if name not in piece.column_names]
    extra = [name for name in piece.column_names if name not in schema.names]
    if missing or extra:
        raise TableError(f"table '{table}': missing columns {missing}, unknown columns {extra}")
    try:
        return piece.select(schema.names).cast(schema)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise TableError(f"table '{table}': {error}") from None


def _footer(path: Path) -> pq.FileMetaData:
    if not path.is_file():
        raise TableError(f"{path}: no such table; run the stage that makes it (dvc repro)")
    with _damage_named(path):
        return pq.read_metadata(path)


@contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    """Raise in one line where a file is damaged, whatever the reader trips over."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeError) as error:
        what = " ".join(str(error).split())[:200]
        raise TableError(
            f"{path}: not a readable Parquet file: truncated or damaged ({what}); run the stage that makes it again"
        ) from None
