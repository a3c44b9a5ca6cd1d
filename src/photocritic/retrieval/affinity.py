"""How well captions fit a photograph, by the photographs under which they were written (Déjà 3, Eq. 2)."""

import numpy as np
from numpy.typing import NDArray

from photocritic.retrieval.caption_graph import Integers

Floats = NDArray[np.floating]


def squared_distances(query: Floats, vectors: Floats) -> NDArray[np.float64]:
    """Compute the squared Euclidean distances of vectors (N, C) to a query (C,), each by itself.

    Products of matrices would be faster, but a vector's distance would depend on which others are at hand.
    """
    differences = np.asarray(vectors, np.float64) - np.asarray(query, np.float64)
    distances: NDArray[np.float64] = np.einsum("nc,nc->n", differences, differences)
    return distances


def affinities(distances: Floats, starts: Integers, sigma: int | None) -> NDArray[np.float64]:
    """Compute the affinity of captions to a photograph: the mean similarity of their nearest photographs.

    Parameters
    ----------
    distances : ndarray, (E,)
        Squared distances of the captions' photographs to the query, one caption's after the other's; the similarity of
        two photographs is the negative squared distance.
    starts : ndarray of int64, (T + 1,)
        Where each caption's begin; each has at least one.
    sigma : int, optional
        How many of a caption's nearest photographs count; all where it has fewer, or by default.

    Returns
    -------
    ndarray of float64, (T,)
        At most 0; higher is nearer.

    References
    ----------
    Chen et al. 2015, Déjà Image-Captions, Equation 2.
    """
    sizes = np.diff(starts)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((distances, owners))
    ranks = np.arange(len(owners)) - starts[owners]
    nearest = distances[order] if sigma is None else np.where(ranks < sigma, distances[order], 0.0)
    counted = sizes if sigma is None else np.minimum(sizes, sigma)
    totals: NDArray[np.float64] = -np.add.reduceat(nearest, starts[:-1]) / counted
    return totals
