"""Topics as labels: one topic an image, by the rule of AIC's authors, and the likeliest topics of new comments."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from photocritic.topics.topic_model import TopicModel

# As in the scripts that AIC's authors published; the paper trains on the distribution (4.4).
CANDIDATES = 10  # an image's likeliest topics
TERMS = 25  # a topic's first terms
VAGUE = 0.05  # a topic whose first term is no likelier than this labels no image
SHOWN_TERMS = 8  # of a topic of a comment


def usable(model: TopicModel) -> NDArray[np.bool_]:
    """Return which topics may label an image: those whose first term's probability is above `VAGUE`, shape (K,)."""
    return np.asarray(model.terms.max(axis=1) > VAGUE)


def top_topic(
    model: TopicModel, counts: sparse.csr_array, distributions: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Pick one topic an image: of its likeliest, that which shares most of its first terms with the document.

    An image whose topic is vague has no label: no other topic takes its place.

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
        One-hot rows; of equals the topic whose first term is likelier in it, then the likelier topic. All zero where
        the topic is vague.
    labelled : ndarray of bool, shape (D,)
        Which rows have a label.
    """
    best = np.argsort(-model.terms, axis=1, kind="stable")[:, :TERMS]
    first = np.zeros(model.terms.shape)
    np.put_along_axis(first, best, 1.0, axis=1)
    shared = (counts > 0).astype(np.float64) @ first.T
    ranked = np.argsort(-distributions, axis=1, kind="stable")[:, :CANDIDATES]
    matches = np.take_along_axis(shared, ranked, axis=1)
    equals = matches == matches.max(axis=1, keepdims=True)
    first_probability = model.terms.max(axis=1)[ranked]
    picked = np.take_along_axis(ranked, np.where(equals, first_probability, 0.0).argmax(axis=1)[:, None], axis=1)[:, 0]
    labelled = usable(model)[picked]
    labels = np.zeros(distributions.shape)
    labels[np.flatnonzero(labelled), picked[labelled]] = 1.0
    return labels, labelled


def likeliest_topics(model: TopicModel, comments: Sequence[Iterable[str]], top: int) -> list[list[dict[str, Any]]]:
    """Return the likeliest topics of comments.

    Parameters
    ----------
    model : TopicModel
        The topics.
    comments : sequence of iterables of str
        Each comment's n-grams.
    top : int
        How many topics a comment, at most.

    Returns
    -------
    list of list of dict
        For each comment its likeliest topics, best first: `topic`, its `share` of the comment, and the topic's first
        `terms`. A comment without any term of the vocabulary has none.
    """
    counts = model.count(comments)
    shares = model.distributions(counts)
    known = np.diff(counts.indptr) > 0
    terms = [[term for term, _ in entry["terms"][:SHOWN_TERMS]] for entry in model.summary()]
    return [
        [{"topic": int(topic), "share": round(float(row[topic]), 4), "terms": terms[topic]} for topic in best]
        for row, best in zip(shares, _best(shares, known, top), strict=True)
    ]


def _best(shares: Any, known: Any, top: int) -> list[Any]:
    order = np.argsort(-shares, axis=1, kind="stable")
    return [row[: top if any_known else 0] for row, any_known in zip(order, known, strict=True)]
