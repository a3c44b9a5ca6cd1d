"""What must hold of a table beyond its own rows: keys of other tables, and what the parameters say."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from photocritic import validation
from photocritic.core.errors import TableError
from photocritic.tables.table import ForeignKey, find, name_of
from photocritic.tables.table_store import check, count, scan
from photocritic.validation import Failure

if TYPE_CHECKING:
    from photocritic.config import Params


def validate_input(path: Path, params: "Params") -> None:
    """Check a table that a stage reads, with all that it refers to.

    The page of an earlier failure is removed.

    Parameters
    ----------
    path : Path
        The file, or one of a folder that has the table's name.
    params : Params
        The parameters that it must fit.

    Raises
    ------
    TableError, GateFailed
        The table is missing or damaged, fails its checks, refers to rows that are not there, or does not fit the
        parameters.
    """
    table = find(name_of(path))
    check(table.name, path)
    check_references(table.name, path)
    if table.fits and (failures := table.fits(path, params)):
        validation.refuse(table.name, path, failures)
    validation.remove_docs(path)


def check_references(name: str, path: Path, **others: Path) -> None:
    """Check that a table's foreign keys are keys of the other tables.

    Parameters
    ----------
    name : str
        The table's name.
    path : Path
        The file.
    **others
        By name, other tables that stand elsewhere than usual.

    Raises
    ------
    TableError, GateFailed
        A table does not pass its own gate, a row refers to none of the other table, or none refers to a row of it that
        must be met.
    """
    for key in find(name).foreign_keys:
        failures = _unmatched(name, path, key, others.get(key.table) or find(key.table).path)
        if failures:
            validation.refuse(name, path, failures)


def no_rows(path: Path, purpose: str) -> list[Failure]:
    """Return the failure of a table without rows that needs some; `purpose` says for what."""
    return [] if count(path) else [Failure(f"1 or more, {purpose}", "rows", "0")]


def wrong_width(path: Path, column: str, width: int, source: str, at_most: bool = False) -> list[Failure]:
    """Return the failure of a table whose vectors have another number of values than they should.

    Parameters
    ----------
    path : Path
        The file.
    column : str
        The vectors.
    width : int
        How many values there should be.
    source : str
        What says so, for the message.
    at_most : bool
        Whether there may be fewer.
    """
    found = pq.read_schema(path).field(column).type.list_size
    if found == width or (at_most and found < width):
        return []
    return [Failure(f"{'at most ' if at_most else ''}{width} values an image, as {source} says", column, str(found))]


def _unmatched(name: str, path: Path, key: ForeignKey, other: Path | None) -> list[Failure]:
    if other is None:
        raise TableError(f"table '{name}' refers to table '{key.table}', which has no path")
    (column,) = find(key.table).key
    known, referred = _values(key.table, other, column), _values(name, path, key.column)
    noun, failures = key.column.removesuffix("_id"), []
    article = "an" if noun[0] in "aeiou" else "a"
    if len(unknown := referred.filter(pc.invert(pc.is_in(referred, value_set=known)))):
        problem = f"{len(unknown)} of {len(referred)} rows have another"
        failures.append(_failure(f"{article} {noun} of {other} in every row", key.column, unknown, problem))
    if key.every and len(missing := known.filter(pc.invert(pc.is_in(known, value_set=referred)))):
        problem = f"{len(missing)} of {len(known)} {key.table} have none"
        failures.append(_failure(f"a row for every {noun} of {other}", key.column, missing, problem))
    return failures


def _values(table: str, path: Path, column: str) -> pa.ChunkedArray:
    return pa.chunked_array([batch[column] for batch in scan(table, path, [column])], pa.string())


def _failure(expectation: str, column: str, odd: pa.ChunkedArray, problem: str) -> Failure:
    shown = [str(name) for name in np.unique(odd.to_numpy())[: validation.SHOWN_ROWS]]
    return Failure(expectation, column, f"{problem}, such as {shown[0]}", (*shown,))
