"""How many distinctly different images there are in each of many groups, told by perceptual hashes."""

import numpy as np
from numpy.typing import NDArray


def distinct(
    groups: NDArray[np.int64],
    images: NDArray[np.int64],
    hashes: NDArray[np.int64],
    has_hash: NDArray[np.bool_],
    max_distance: int,
    most: int,
) -> NDArray[np.int64]:
    """Count images that differ pairwise, in all groups at once.

    The first image of a group counts, then the first one that differs from all that were counted, and so on.

    Parameters
    ----------
    groups : ndarray of int64, shape (rows,)
        The group of each row, numbered from 0.
    images : ndarray of int64, shape (rows,)
        The image of each row; equal numbers are one image.
    hashes : ndarray of int64, shape (rows,)
        Perceptual hashes of 64 bits.
    has_hash : ndarray of bool, shape (rows,)
        Where there is one; images without are told apart by their numbers alone.
    max_distance : int
        Images whose hashes differ in at most so many bits count as one.
    most : int
        Where to stop counting.

    Returns
    -------
    ndarray of int64, shape (number of groups,)
        The images of each group, or `most` where there are at least so many.
    """
    count = int(groups.max(initial=-1)) + 1
    found = np.zeros(count, np.int64)
    rows = np.arange(len(groups))
    for _ in range(most):
        first = np.full(count, -1)
        first[groups[rows[::-1]]] = rows[::-1]
        found += first >= 0
        leaders = first[groups[rows]]
        apart = np.bitwise_count((hashes[rows] ^ hashes[leaders]).view(np.uint64)) > max_distance
        comparable = has_hash[rows] & has_hash[leaders]
        rows = rows[(images[rows] != images[leaders]) & (apart | ~comparable)]
    return found
