"""One topic an image instead of a distribution: the rule of AIC's authors."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from photocritic.topics.model import TopicModel

# As in the scripts that AIC's authors published; the paper trains on the distribution (4.4).
CANDIDATES = 10  # an image's likeliest topics
TERMS = 25  # a topic's first terms
VAGUE = 0.05  # a topic whose first term is no likelier than this is dropped


def usable(model: TopicModel) -> NDArray[np.bool_]:
    """Tell which topics may label an image: those whose first term's probability is above `VAGUE`, shape (K,)."""
    return np.asarray(model.terms.max(axis=1) > VAGUE)


def top_topic(
    model: TopicModel, counts: sparse.csr_array, distributions: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Pick one topic an image: of its likeliest, that which shares most of its first terms with the document.

    Parameters
    ----------
    model : TopicModel
        The topics.
    counts : scipy.sparse.csr_array, shape (D, V)
        The documents.
    distributions : ndarray of float64, shape (D, K)
        Their topics.

    Returns
    -------
    labels : ndarray of float64, shape (D, K)
        One-hot rows; of equals the likelier topic, then the first. All zero where no candidate is usable.
    labelled : ndarray of bool, shape (D,)
        Which rows have a label.
    """
    best = np.argsort(-model.terms, axis=1, kind="stable")[:, :TERMS]
    first = np.zeros(model.terms.shape)
    np.put_along_axis(first, best, 1.0, axis=1)
    shared = (counts > 0).astype(np.float64) @ first.T
    ranked = np.argsort(-distributions, axis=1, kind="stable")[:, :CANDIDATES]
    worth = np.where(usable(model)[ranked], np.take_along_axis(shared, ranked, axis=1), -1.0)
    labelled = worth.max(axis=1, initial=-1.0) >= 0
    picked = np.take_along_axis(ranked, worth.argmax(axis=1)[:, None], axis=1)[:, 0]
    labels = np.zeros(distributions.shape)
    labels[np.flatnonzero(labelled), picked[labelled]] = 1.0
    return labels, labelled
