"""What must hold between tables: every row of one is about an image of the other, and vectors are as wide as told."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from photocritic import validation
from photocritic.tables.store import check, count, scan

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
        validation.refuse(table, path, failures)


def refuse_empty(table: str, path: Path, told: str) -> None:
    """Refuse a table without rows, where it might have none but for what is to be made of it.

    Parameters
    ----------
    table : str
        The table's name.
    path : Path
        The file.
    told : str
        Why it must have some, for the message.

    Raises
    ------
    TableError, GateFailed
        It does not pass its gate, or has no rows.
    """
    check(table, path)
    if not count(path):
        validation.refuse(table, path, [validation.Failure(f"1 or more, {told}", "rows", "0")])


def refuse_width(table: str, path: Path, width: int, told_by: str, at_most: bool = False) -> None:
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
    at_most : bool
        Whether there may be fewer.

    Raises
    ------
    TableError, GateFailed
        The table does not pass its gate, or has another width.
    """
    check(table, path)
    column = _VECTORS[table]
    found = pq.read_schema(path).field(column).type.list_size
    if found > width or (found < width and not at_most):
        wanted = f"{'at most ' if at_most else ''}{width} values an image, as {told_by} says"
        validation.refuse(table, path, [validation.Failure(wanted, column, str(found))])


def _ids(table: str, path: Path) -> pa.ChunkedArray:
    return pa.chunked_array([batch["image_id"] for batch in scan(table, path, ["image_id"])], pa.string())


def _failure(expectation: str, odd: pa.ChunkedArray, among: int, problem: str) -> validation.Failure:
    shown = [str(name) for name in np.unique(odd.to_numpy())[: validation.SHOWN_ROWS]]
    return validation.Failure(
        expectation, "image_id", f"{len(odd)} of {among} {problem}, such as {shown[0]}", (*shown,)
    )
