"""Counts and groups over a corpus larger than memory, in Arrow files that stand whole or not at all."""

import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from photocritic.core.files import atomic_file, writable

PART = 200_000  # rows that are held in memory together, on average
SHARD = 5_000  # comments in a batch
# Row numbers of a batch, more than it has rows: a row's number is unique and in order, however many sentences the
# comments of the batches before have.
SPAN = 1_000_000_000
ROW = "row"  # the column that every grouped table has: the row's number
_MERGED = 2_000_000  # rows of partial counts that wait at most before they are merged
_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")


def write_arrow(path: Path, table: pa.Table) -> Path:
    """Write a table to an Arrow file, and return the path."""
    with atomic_file(path) as temporary:
        _write(temporary, table)
    return path


def _write(path: Path, table: pa.Table) -> None:
    with pa.ipc.new_file(str(path), table.schema, options=_OPTIONS) as writer:
        writer.write_table(table)


def read_arrow(path: Path) -> pa.Table:
    """Load an Arrow file that `write_arrow` wrote."""
    with pa.OSFile(str(path)) as source, pa.ipc.open_file(source) as file:
        return file.read_all()


def stream_arrow(paths: Iterable[Path]) -> Iterator[pa.Table]:
    """Load Arrow files one after another."""
    return map(read_arrow, paths)


def count_values(values: pa.ChunkedArray | pa.Array, name: str) -> pa.Table:
    """Count the values of a column: a table of `name` and `count`."""
    counts = pc.value_counts(values)
    chunk = counts if isinstance(counts, pa.StructArray) else counts.combine_chunks()
    return pa.table({name: chunk.field("values"), "count": chunk.field("counts")})


def merge_counts(parts: Iterable[pa.Table], name: str) -> pa.Table:
    """Add up tables of counts.

    Parameters
    ----------
    parts : iterable of pyarrow.Table
        As `count_values` returns them.
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


def decide_by_group(observed: list[Path], key: str, decide: Callable[[pa.Table], pa.Table], folder: Path) -> None:
    """Decide on the rows of each group together, and write the decisions in the order of the comments.

    Rows are first distributed over parts by a hash of their group, so that a group is whole within its part and memory
    holds one part at a time; the decisions are then distributed back by row.

    Parameters
    ----------
    observed : list of Path
        Arrow files with the columns `row` (int64), `key`, and what `decide` needs, one a batch of comments.
    key : str
        The column whose equal values make a group.
    decide : callable
        Given the rows of many whole groups, in the order of `row`, returns a table with the column `row` and the
        decisions' columns; rows that it leaves out have no decision.
    folder : Path
        Where the decisions are written, for `load_decisions`.
    """
    judged = map(decide, whole_groups(observed, key, folder / "parts"))
    for path in _distribute(judged, folder / "decided", lambda table: table.column(ROW).to_numpy() // SPAN):
        write_arrow(folder / path.name / "decisions.arrow", _gathered(path))
    shutil.rmtree(folder / "decided", ignore_errors=True)


def whole_groups(observed: list[Path], key: str, folder: Path) -> Iterator[pa.Table]:
    """Yield the rows of many whole groups at a time, in the order of `row`; about `PART` rows are in memory.

    Parameters
    ----------
    observed, key
        As in `decide_by_group`.
    folder : Path
        A folder to work in; it is made, and removed in the end.
    """
    total = sum(read_arrow(path).num_rows for path in observed)
    parts = max(1, -(-total // PART))
    yield from map(
        _gathered, _distribute(stream_arrow(observed), folder, lambda table: _hashes(table.column(key)) % parts)
    )
    shutil.rmtree(folder, ignore_errors=True)


def load_decisions(folder: Path, start: int, count: int) -> pa.Table | None:
    """Load the decisions on a batch's `count` rows from `start` on, in the order of `row`; None where there are none.

    Parameters
    ----------
    folder : Path
        Where `decide_by_group` wrote them.
    start, count : int
        The batch's first row and its length.
    """
    path = folder / f"{start // SPAN:06d}" / "decisions.arrow"
    if not path.exists():
        return None
    table = read_arrow(path)
    first, last = np.searchsorted(table.column(ROW).to_numpy(), [start, start + count])
    return table.slice(int(first), int(last - first))


def _distribute(tables: Iterable[pa.Table], folder: Path, part_of: Callable[[pa.Table], np.ndarray]) -> Iterator[Path]:
    """Write the rows of tables into one folder a part, and return the parts' folders in order."""
    for number, table in enumerate(_joined(tables)):
        parts = part_of(table)
        for part in np.unique(parts):
            piece = folder / f"{part:06d}" / f"{number:06d}.arrow"
            with writable(piece):  # not atomic: there are many, and none outlives the run
                piece.parent.mkdir(parents=True, exist_ok=True)
                _write(piece, table.filter(pa.array(parts == part)))
    return iter(sorted(folder.iterdir()) if folder.exists() else [])


def _joined(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Yield tables of about `PART` rows, so that they are distributed over fewer files."""
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        if sum(one.num_rows for one in waiting) >= PART:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)


def _gathered(part: Path) -> pa.Table:
    table = pa.concat_tables(stream_arrow(sorted(part.iterdir())))
    return table.take(pc.sort_indices(table.column(ROW))).combine_chunks()


def _hashes(keys: pa.ChunkedArray) -> np.ndarray:
    """Return hashes of keys as whole numbers, the same in every process and on every machine."""
    coded = keys.combine_chunks().dictionary_encode()
    own = np.array([zlib.crc32(str(key).encode()) for key in coded.dictionary.to_pylist()], np.int64)
    return own[coded.indices.to_numpy()] if len(own) else np.empty(0, np.int64)
