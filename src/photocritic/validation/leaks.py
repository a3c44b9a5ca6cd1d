"""Photographs that stand in two splits: what is learned from must not be what is measured on."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from photocritic.validation.failures import SHOWN_ROWS, Failure
from photocritic.validation.outliers import hashed

FLAT = 0  # the perceptual hash of any picture of one colour


def find_leaks(path: Path, fingerprints: Mapping[str, str], key: str) -> list[Failure]:
    """Find the rows of a table that stand in more than one split.

    Parameters
    ----------
    path : Path
        A table with a column `split`.
    fingerprints : mapping of str to str
        Columns whose values show that two rows are the same thing, and what a message calls that.
    key : str
        The column that identifies a row, for messages.

    Returns
    -------
    list of Failure
        One, with the first few; none where no row leaks.
    """
    splits = pq.read_table(path, columns=["split"])["split"].combine_chunks().dictionary_encode()
    found: dict[tuple[int, ...], str] = {}
    for column, how in fingerprints.items():
        for rows in _in_two(path, column, np.asarray(pc.fill_null(splits.indices, -1))):
            found.setdefault(tuple(rows), how)
    lines = tuple(_line(path, rows, how, key) for rows, how in list(found.items())[:SHOWN_ROWS])
    return [Failure("each picture in one split alone", "split", f"{len(found)} in two", lines)] if found else []


def _in_two(path: Path, column: str, splits: NDArray[np.integer]) -> list[list[int]]:
    """Return, for each value that stands in two splits, a row of the one and a row of the other."""
    hashes, usable = [np.empty(0, np.uint64)], [np.empty(0, np.bool_)]
    for values, some in hashed(path, [column]):
        hashes.append(some)
        usable.append(_is_usable(values[0]))
    both = np.concatenate(hashes)
    rows = np.flatnonzero(np.concatenate(usable))
    order = rows[np.lexsort((splits[rows], both[rows]))]
    alike = both[order][1:] == both[order][:-1]
    differ = splits[order][1:] != splits[order][:-1]
    return [sorted((int(order[place]), int(order[place + 1]))) for place in np.flatnonzero(alike & differ)]


def _is_usable(values: pa.Array) -> NDArray[np.bool_]:
    """Return which rows have a value that distinguishes pictures."""
    nothing = pc.equal(values, FLAT if pa.types.is_integer(values.type) else b"")
    return ~np.asarray(pc.fill_null(nothing, True))


def _line(path: Path, rows: tuple[int, ...], how: str, key: str) -> str:
    some = pq.read_table(path, columns=[key, "split"]).take(pa.array(rows)).to_pylist()
    return " and ".join(f"{row[key]} ({row['split']})" for row in some) + f": {how}"
