"""What comments that LDA has not seen are about."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from photocritic.topics.model import TopicModel

TERMS = 8  # of a topic


def tell(model: TopicModel, comments: Sequence[Iterable[str]], top: int) -> list[list[dict[str, Any]]]:
    """Name the likeliest topics of comments.

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
    terms = [[term for term, _ in entry["terms"][:TERMS]] for entry in model.summary()]
    return [
        [{"topic": int(topic), "share": round(float(row[topic]), 4), "terms": terms[topic]} for topic in best]
        for row, best in zip(shares, _best(shares, known, top), strict=True)
    ]


def _best(shares: Any, known: Any, top: int) -> list[Any]:
    order = np.argsort(-shares, axis=1, kind="stable")
    return [row[: top if seen else 0] for row, seen in zip(order, known, strict=True)]
