"""What must hold between tables: every row of one is about an image of the other, and vectors are as wide as told."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from photocritic import quality
from photocritic.tables.store import check, scan

_VECTORS = {"topics": "topics", "words": "words", "features": "vector"}


def refuse_strangers(table: str, path: Path, images: Path, every: bool = False) -> None:
    """Refuse a table that tells of other images than those at hand.

    Parameters
    ----------
    table : str
        The table's name; it has a column `image_id`.
    path, images : Path
        The table, and the images table.
    every : bool
        Whether it must tell of every image.

    Raises
    ------
    TableError, GateFailed
        One of the two does not pass its gate, a row tells of no image at hand, or an image is not told of.
    """
    known = _ids("images", images)
    told = _ids(table, path)
    strange = told.filter(pc.invert(pc.is_in(told, value_set=known)))
    failures = []
    if len(strange):
        failures.append(_failure(f"an image of {images} in every row", strange, len(told), "rows tell of none"))
    if every and len(silent := known.filter(pc.invert(pc.is_in(known, value_set=told)))):
        failures.append(_failure(f"a row for every image of {images}", silent, len(known), "images have none"))
    if failures:
        quality.refuse(table, path, failures)


def refuse_width(table: str, path: Path, width: int, told_by: str) -> None:
    """Refuse a table whose vectors have another number of values than they should.

    Parameters
    ----------
    table : "topics", "words" or "features"
        The table's name.
    path : Path
        The file.
    width : int
        How many values there should be.
    told_by : str
        Who says so, for the message.

    Raises
    ------
    TableError, GateFailed
        The table does not pass its gate, or has another width.
    """
    check(table, path)
    column = _VECTORS[table]
    found = pq.read_schema(path).field(column).type.list_size
    if found != width:
        quality.refuse(
            table, path, [quality.Failure(f"{width} values an image, as {told_by} says", column, str(found))]
        )


def _ids(table: str, path: Path) -> pa.ChunkedArray:
    return pa.chunked_array([batch["image_id"] for batch in scan(table, path, ["image_id"])], pa.string())


def _failure(expectation: str, odd: pa.ChunkedArray, among: int, problem: str) -> quality.Failure:
    shown = [f"image_id={name}" for name in np.unique(odd.to_numpy())[: quality.SHOWN_ROWS]]
    return quality.Failure(
        expectation, "image_id", f"{len(odd)} of {among} {problem}, such as {shown[0][9:]}", (*shown,)
    )
