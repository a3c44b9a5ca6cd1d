"""How often captions repeat: by how many authors, and under how many distinctly different images (Déjà 2)."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

# Bits of the 64 of a perceptual hash: copies of a photograph differ in few, different photographs in half of them.
MAX_DISTANCE = 10


def count_repetition(
    groups: NDArray[np.int64],
    count: int,
    authors: pa.ChunkedArray,
    images: pa.ChunkedArray,
    hashes: pa.ChunkedArray,
    least: tuple[int, int],
    max_distance: int = MAX_DISTANCE,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the authors and the distinctly different images of groups of captions.

    Parameters
    ----------
    groups : ndarray of int64, shape (rows,)
        The group of each caption, numbered from 0.
    count : int
        The number of groups; some may have no caption.
    authors, images, hashes : pyarrow.ChunkedArray
        Each caption's author (null where unknown), image, and the image's perceptual hash (null where there is none).
    least : (int, int)
        The numbers of authors and of images above which nothing is counted.
    max_distance : int
        Images whose hashes differ in at most so many bits count as one.

    Returns
    -------
    authors, images : ndarray of int64, shape (count,)
        Where authors are unknown, each different image counts as one.
    """
    codes = images.combine_chunks().dictionary_encode().indices.to_numpy().astype(np.int64)
    bits = pc.fill_null(hashes, 0).to_numpy().astype(np.int64, copy=False)
    has_hash = hashes.is_valid().to_numpy()

    def distinct(rows: NDArray[np.bool_], most: int) -> NDArray[np.int64]:
        found = count_distinct_images(groups[rows], codes[rows], bits[rows], has_hash[rows], max_distance, most)
        return np.pad(found, (0, count - len(found)))

    is_known = authors.is_valid().to_numpy()
    known = authors.filter(pa.array(is_known)).combine_chunks().dictionary_encode().indices.to_numpy()
    pairs = np.unique(groups[is_known] * max(1, len(known)) + known.astype(np.int64))
    named = np.bincount(pairs // max(1, len(known)), minlength=count)
    least_authors, least_images = least
    return named + distinct(~is_known, least_authors), distinct(np.ones(len(groups), bool), least_images)


def count_distinct_images(
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
        Where there is one; images without differ where their numbers do.
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
