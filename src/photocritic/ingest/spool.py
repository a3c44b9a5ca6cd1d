"""Rows of a table set aside on disk until the table can be saved whole."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from photocritic import tables

BATCH = 10_000  # rows held in memory before they go to disk


class Spool:
    """Collect the rows of one table while others are being collected too, in bounded memory.

    Parameters
    ----------
    table : str
        The table's name, which gives the schema.
    folder : Path
        An existing folder for the spooled rows.
    """

    def __init__(self, table: str, folder: Path) -> None:
        self.table = table
        self.rows = 0
        self._path = folder / f"{table}.arrow"
        self._waiting: list[dict[str, Any]] = []
        self._writer = pa.ipc.new_file(self._path, tables.from_rows(table, []).schema)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def append(self, row: dict[str, Any]) -> None:
        """Add a row."""
        self._waiting.append(row)
        self.rows += 1
        if len(self._waiting) >= BATCH:
            self._flush()

    def save(self, path: Path) -> None:
        """Write the rows, in the order in which they came, as the table they belong to.

        Parameters
        ----------
        path : Path
            The Parquet file.
        """
        self._flush()
        self._writer.close()
        tables.save(self.table, path, self._batches(), rows=self.rows)

    def _flush(self) -> None:
        self._writer.write_table(tables.from_rows(self.table, self._waiting))
        self._waiting = []

    def _batches(self) -> Iterator[pa.RecordBatch | pa.Table]:
        with pa.memory_map(str(self._path)) as mapped, pa.ipc.open_file(mapped) as reader:
            if not reader.num_record_batches:
                yield tables.from_rows(self.table, [])
            for number in range(reader.num_record_batches):
                yield reader.get_batch(number)
