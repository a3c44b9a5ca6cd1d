"""How good topics are: do their terms stand together in documents, and do topics differ."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

COHERENCE_TERMS = 10
DIVERSITY_TERMS = 25
_ROWS = 10_000  # documents looked at together


def u_mass(terms: NDArray[np.float64], counts: sparse.csr_array, top: int = COHERENCE_TERMS) -> NDArray[np.float64]:
    """Measure coherence by the log conditional probability of a topic's terms, over the given documents.

    Parameters
    ----------
    terms : ndarray, shape (K, V)
        Probability of each term in each topic.
    counts : scipy.sparse.csr_array, shape (D, V)
        The documents.
    top : int
        How many of a topic's most probable terms are compared pairwise.

    Returns
    -------
    ndarray of float64, shape (K,)
        The mean over pairs for each topic; 0 is best.

    References
    ----------
    Mimno et al. 2011, Optimizing Semantic Coherence in Topic Models, Eq. 1.
    """
    scores = []
    for together, single in _co_documents(terms, counts, top):
        later, earlier = np.tril_indices(len(single), k=-1)
        scores.append(np.mean(np.log((together[later, earlier] + 1) / np.maximum(single[earlier], 1))))
    return np.array(scores)


def npmi(terms: NDArray[np.float64], counts: sparse.csr_array, top: int = COHERENCE_TERMS) -> NDArray[np.float64]:
    """Measure coherence by normalised pointwise mutual information within documents.

    Parameters
    ----------
    terms, counts, top
        As in `u_mass`.

    Returns
    -------
    ndarray of float64, shape (K,)
        The mean over pairs for each topic, from -1 (never together) over 0 (independent) to 1 (always together).

    References
    ----------
    Bouma 2009, Normalized (Pointwise) Mutual Information in Collocation Extraction.
    """
    documents = max(counts.shape[0], 1)
    scores = []
    for together, single in _co_documents(terms, counts, top):
        left, right = np.tril_indices(len(single), k=-1)
        joint, product = together[left, right] / documents, single[left] * single[right] / documents**2
        seen = joint > 0
        values = np.full(len(joint), -1.0)
        information = np.log(joint[seen] / product[seen])
        surprise = -np.log(joint[seen])
        values[seen] = np.divide(information, surprise, out=np.ones_like(surprise), where=surprise > 0)
        scores.append(values.mean())
    return np.array(scores)


def diversity(terms: NDArray[np.float64], top: int = DIVERSITY_TERMS) -> float:
    """Compute the share of distinct terms among the most probable ones of all topics.

    References
    ----------
    Dieng et al. 2020, Topic Modeling in Embedding Spaces, section 6.
    """
    leading = best(terms, top)
    return len(np.unique(leading)) / leading.size


def effective_topics(distributions: NDArray[np.float64]) -> float:
    """Compute over how many topics a document spreads: the exponential of the mean entropy; K: nothing was learnt."""
    parts = np.array_split(distributions, -(-len(distributions) // _ROWS) or 1)
    entropies = [-(part * np.log(np.maximum(part, 1e-300))).sum(axis=1) for part in parts]
    return float(np.exp(np.concatenate(entropies).mean()))


def best(terms: NDArray[np.float64], top: int = COHERENCE_TERMS) -> NDArray[np.int64]:
    """Return the columns of each topic's most probable terms, shape (K, top)."""
    return np.argsort(-terms, axis=1, kind="stable")[:, :top]


def _co_documents(terms: NDArray[np.float64], counts: sparse.csr_array, top: int) -> list[tuple[Any, Any]]:
    present = sparse.csc_array(counts > 0).astype(np.float64)
    pairs = []
    for columns in best(terms, top):
        part = present[:, columns]
        together = (part.T @ part).toarray()
        pairs.append((together, together.diagonal()))
    return pairs
