"""Photographs that stand in two splits: what is learned from must not be what is measured on."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from photocritic.validation.conspicuous import hashed

FLAT = 0  # the perceptual hash of any picture of one colour

_SHOWN = ["image_id", "split"]


def leaks(path: Path, shown: int) -> tuple[int, list[str]]:
    """Find the pictures of an images table that stand in more than one split.

    Parameters
    ----------
    path : Path
        The images table, with the columns of its schema.
    shown : int
        How many to tell of, at most.

    Returns
    -------
    int, list of str
        How many there are, by their bytes or by their perceptual hash, and a line for each of the first.
    """
    splits = pq.read_table(path, columns=["split"])["split"].combine_chunks().dictionary_encode()
    told: dict[tuple[int, ...], str] = {}
    for column, how in (("sha256", "the same bytes"), ("phash", "look alike, by phash")):
        for rows in _in_two(path, column, np.asarray(pc.fill_null(splits.indices, -1))):
            told.setdefault(tuple(rows), how)
    lines = [_line(path, rows, how) for rows, how in list(told.items())[:shown]]
    return len(told), lines


def _in_two(path: Path, column: str, splits: NDArray[np.integer]) -> list[list[int]]:
    """Give, for each value that stands in two splits, a row of the one and a row of the other."""
    hashes, told = [np.empty(0, np.uint64)], [np.empty(0, np.bool_)]
    for values, some in hashed(path, [column]):
        hashes.append(some)
        told.append(_is_told(values[0]))
    both = np.concatenate(hashes)
    rows = np.flatnonzero(np.concatenate(told))
    order = rows[np.lexsort((splits[rows], both[rows]))]
    alike = both[order][1:] == both[order][:-1]
    differ = splits[order][1:] != splits[order][:-1]
    return [sorted((int(order[place]), int(order[place + 1]))) for place in np.flatnonzero(alike & differ)]


def _is_told(values: pa.Array) -> NDArray[np.bool_]:
    """Tell which rows have a value that says something of a picture."""
    nothing = pc.equal(values, FLAT if pa.types.is_integer(values.type) else b"")
    return ~np.asarray(pc.fill_null(nothing, True))


def _line(path: Path, rows: tuple[int, ...], how: str) -> str:
    some = pq.read_table(path, columns=_SHOWN).take(pa.array(rows)).to_pylist()
    return " and ".join(f"{row['image_id']} ({row['split']})" for row in some) + f": {how}"
