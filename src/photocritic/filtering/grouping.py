"""Judging comments in groups that are scattered over the corpus, such as those of an image, with bounded memory."""

import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from photocritic.filtering import arrow_io

PART = 200_000  # rows that are held in memory together, on average
SHARD = 5_000  # comments in a batch; no batch begins in one shard and ends in another
ROW = "row"  # the column that every table here has: the comment's row in the comments table


def by_group(observed: list[Path], key: str, decide: Callable[[pa.Table], pa.Table], folder: Path) -> None:
    """Bring the rows of each group together, decide on them, and file the decisions in the comments' order.

    Rows are first dealt into parts by a hash of their group, so that a group is whole within its part and memory holds
    one part at a time; the decisions are then dealt back by row.

    Parameters
    ----------
    observed : list of Path
        Arrow files with the columns `row` (int64), `key`, and what `decide` needs, one a batch of comments.
    key : str
        The column whose equal values make a group.
    decide : callable
        Given the rows of many whole groups, in the order of `row`, gives a table with the column `row` and the
        decisions' columns; rows that it leaves out have no decision.
    folder : Path
        Where the decisions are filed, for `decisions`.
    """
    judged = map(decide, whole(observed, key, folder / "parts"))
    for path in _deal(judged, folder / "decided", lambda table: table.column(ROW).to_numpy() // SHARD):
        arrow_io.write(folder / path.name / "decisions.arrow", _gathered(path))
    shutil.rmtree(folder / "decided", ignore_errors=True)


def whole(observed: list[Path], key: str, folder: Path) -> Iterator[pa.Table]:
    """Give the rows of many whole groups at a time, in the order of `row`; about `PART` rows are in memory.

    Parameters
    ----------
    observed, key
        As in `by_group`.
    folder : Path
        A folder to work in; it is made, and is gone in the end.
    """
    total = sum(arrow_io.read(path).num_rows for path in observed)
    parts = max(1, -(-total // PART))
    yield from map(
        _gathered, _deal(arrow_io.stream(observed), folder, lambda table: _hashes(table.column(key)) % parts)
    )
    shutil.rmtree(folder, ignore_errors=True)


def decisions(folder: Path, start: int, count: int) -> pa.Table | None:
    """Give the decisions on the `count` comments from row `start` on, in the order of `row`; None where there are none.

    Parameters
    ----------
    folder : Path
        Where `by_group` filed them.
    start, count : int
        The batch's first row and its length.
    """
    path = folder / f"{start // SHARD:06d}" / "decisions.arrow"
    if not path.exists():
        return None
    table = arrow_io.read(path)
    first, last = np.searchsorted(table.column(ROW).to_numpy(), [start, start + count])
    return table.slice(int(first), int(last - first))


def _deal(tables: Iterable[pa.Table], folder: Path, part_of: Callable[[pa.Table], np.ndarray]) -> Iterator[Path]:
    """Write the rows of tables into one folder a part, and give the parts' folders in order."""
    for number, table in enumerate(tables):
        parts = part_of(table)
        for part in np.unique(parts):
            arrow_io.write(folder / f"{part:06d}" / f"{number:06d}.arrow", table.filter(pa.array(parts == part)))
    return iter(sorted(folder.iterdir()) if folder.exists() else [])


def _gathered(part: Path) -> pa.Table:
    table = pa.concat_tables(arrow_io.stream(sorted(part.iterdir())))
    return table.take(pc.sort_indices(table.column(ROW))).combine_chunks()


def _hashes(keys: pa.ChunkedArray) -> np.ndarray:
    """Hash keys to whole numbers, the same in every process and on every machine."""
    coded = keys.combine_chunks().dictionary_encode()
    own = np.array([zlib.crc32(str(key).encode()) for key in coded.dictionary.to_pylist()], np.int64)
    return own[coded.indices.to_numpy()] if len(own) else np.empty(0, np.int64)
