"""Batches set aside on disk between two passes over the comments, so that memory holds one batch at a time."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from photocritic.filtering.contract import CommentBatch

_COLUMNS = {
    "cleaned": pa.string(),
    "tokens": pa.list_(pa.string()),
    "ngrams": pa.list_(pa.string()),
    "scores": pa.float64(),
    "reasons": pa.string(),
}


class Spill:
    """A temporary Arrow file that is written once and read once.

    Parameters
    ----------
    path : Path
        Where it shall stand; its folder is the caller's to remove.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def record(self, batches: Iterable[CommentBatch]) -> Iterator[CommentBatch]:
        """Pass batches on and write each as it then stands, changes by the receiver included."""
        writer: pa.ipc.RecordBatchFileWriter | None = None
        try:
            for batch in batches:
                yield batch
                table = _to_arrow(batch)
                if writer is None:
                    writer = pa.ipc.new_file(
                        str(self._path), table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")
                    )
                writer.write_table(table)
        finally:
            if writer is not None:
                writer.close()

    def replay(self) -> Iterator[CommentBatch]:
        """Read the batches back in order, and remove the file."""
        with pa.OSFile(str(self._path)) as source, pa.ipc.open_file(source) as file:
            for index in range(file.num_record_batches):
                yield _from_arrow(pa.Table.from_batches([file.get_batch(index)]))
        self._path.unlink()


def _to_arrow(batch: CommentBatch) -> pa.Table:
    table = batch.rows
    for name, kind in _COLUMNS.items():
        table = table.append_column(f"_{name}", pa.array(getattr(batch, name), kind))
    return table.combine_chunks()


def _from_arrow(table: pa.Table) -> CommentBatch:
    columns = {name: table.column(f"_{name}").to_pylist() for name in _COLUMNS}
    return CommentBatch(rows=table.drop_columns([f"_{name}" for name in _COLUMNS]), **columns)
