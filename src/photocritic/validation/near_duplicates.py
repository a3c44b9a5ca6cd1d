"""Photographs that look alike: perceptual hashes that differ in few of 64 bits, found without comparing all pairs.

Two hashes that differ in few bits have parts in common, or nearly so (the pigeonhole principle), by which they are
looked up.

References
----------
Norouzi et al. 2012, Fast Search in Hamming Space with Multi-Index Hashing, section 3.
"""

from array import array
from itertools import combinations, count

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

# Bits in which copies of a photograph differ at most. Of Flickr8k's 18 million pairs of different photographs none
# differs in fewer than 8; copies at half size, brightened, or cropped by 1% on each side do in 2 to 6 of 1,000 cases.
NEAR = 6
_FEWEST = 24  # bits set; a photograph has 32. One with fewer, such as a gradient, is like none but its equals
_BYTES = 8  # of a hash; of hashes that differ in at most 6 bits, two bytes are equal
_PARTS, _BITS = 7, 9  # of hashes that differ in at most 6 bits, one of 7 parts is equal


def near_pairs(hashes: Hashes) -> NDArray[np.int64]:
    """Find the pairs of hashes that differ in at most `NEAR` bits.

    Parameters
    ----------
    hashes : ndarray of uint64, shape (N,)
        Perceptual hashes, each of them once.

    Returns
    -------
    ndarray of int64, shape (pairs, 2)
        Their places, the lower one first, in order.
    """
    rows = np.flatnonzero(np.bitwise_count(hashes) >= _FEWEST)
    parts = hashes[rows].view(np.uint8).reshape(-1, _BYTES).astype(np.uint16)
    found = []
    for first, second in combinations(range(_BYTES), 2):
        keys = parts[:, first] << 8 | parts[:, second]
        order = np.argsort(keys, kind="stable")
        found.append(rows[order[_near_in_groups(keys[order], hashes[rows[order]])]])
    return np.unique(np.sort(np.concatenate(found), axis=1), axis=0)


def _near_in_groups(keys: NDArray[np.integer], hashes: Hashes) -> NDArray[np.int64]:
    """Find the pairs among hashes that are sorted by a key, and have it in common."""
    found, left = [np.empty((0, 2), np.int64)], np.arange(len(keys))
    for step in count(1):
        left = left[: np.searchsorted(left, len(keys) - step)]
        left = left[keys[left] == keys[left + step]]
        if not len(left):
            break
        near = left[np.bitwise_count(hashes[left] ^ hashes[left + step]) <= NEAR]
        found.append(np.stack([near, near + step], axis=1))
    return np.concatenate(found)


def near_any(hashes: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which hashes are equal to one of the known hashes, or differ from it in at most `NEAR` bits.

    Parameters
    ----------
    hashes, known : ndarray of int64, shape (N,) and (M,)
        Perceptual hashes, as tables hold them.

    Returns
    -------
    ndarray of bool, shape (N,)
    """
    different, places = np.unique(np.concatenate([hashes, known]).view(np.uint64), return_inverse=True)
    is_known = np.zeros(len(different), np.bool_)
    is_known[places[len(hashes) :]] = True
    first, second = near_pairs(different).T
    near = is_known.copy()
    near[first[is_known[second]]] = near[second[is_known[first]]] = True
    return near[places[: len(hashes)]]


class HashIndex:
    """Perceptual hashes that come one by one, and are asked for those that differ in at most `NEAR` bits.

    They are signed, as tables hold them.
    """

    def __init__(self) -> None:
        self._hashes = [array("q") for _ in range(_PARTS << _BITS)]  # by the number and the value of each part

    def add(self, value: int) -> None:
        """Add a hash."""
        for place in _places(value):
            self._hashes[place].append(value)

    def near(self, value: int) -> list[int]:
        """Return the different hashes that differ from one in at most `NEAR` bits, in order."""
        found: set[int] = set()
        for place in _places(value):
            if some := self._hashes[place]:
                hashes = np.array(some, np.int64)
                found.update(hashes[np.bitwise_count((hashes ^ value).view(np.uint64)) <= NEAR].tolist())
        return sorted(found)


def _places(value: int) -> list[int]:
    """Return the number and the value of each part of a hash as one number; none where the hash says too little."""
    bits = value & (1 << 64) - 1
    if bits.bit_count() < _FEWEST:
        return []
    return [part << _BITS | bits >> part * _BITS & (1 << _BITS) - 1 for part in range(_PARTS)]
