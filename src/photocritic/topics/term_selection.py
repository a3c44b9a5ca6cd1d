"""Which terms LDA sees, and which content words an image is described by."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from photocritic.topics.document_terms import Documents

MIN_LETTERS = 3  # shorter tokens are mostly remains of contractions and of numbers


def topic_terms(
    documents: Documents, limit: int, min_documents: int, max_share: float, shares: NDArray[np.float64] | None = None
) -> list[str]:
    """Choose LDA's vocabulary: frequent terms, but none that stands nearly everywhere.

    "Great shot" is the commonest of all n-grams and is no sign of any subject; it would lead every topic
    (AIC section 4.3).

    Parameters
    ----------
    documents : Documents
        The documents of the training images.
    limit : int
        How many terms at most.
    min_documents : int
        In how many documents a term must stand.
    max_share : float
        A term's share must be less than this; 1 bounds nothing.
    shares : ndarray of float64, shape (terms,), optional
        The share of the comments that hold each term (`comment_shares`); without it, that of the documents.

    Returns
    -------
    list of str
        The most frequent first; equally frequent ones by the alphabet.
    """
    held = documents.document_frequencies()
    allowed = held >= min_documents
    if max_share < 1.0:
        allowed &= (held / max(len(documents.image_ids), 1) if shares is None else shares) < max_share
    return _best(documents, documents.frequencies().astype(np.float64), allowed, limit)


def content_words(documents: Documents, limit: int, min_documents: int) -> list[str]:
    """Choose the words whose presence is most informative of the image that a document belongs to.

    A word that half of the documents hold splits them best; one that nearly all or nearly none hold says little.
    That is the entropy of its presence, so that no upper bound has to be set by hand.

    Parameters
    ----------
    documents : Documents
        Content words (`is_content`) of the training images.
    limit : int
        How many words at most.
    min_documents : int
        In how many documents a word must stand.

    Returns
    -------
    list of str
        The most informative first; equally informative ones by the alphabet.
    """
    share = documents.document_frequencies() / max(len(documents.image_ids), 1)
    allowed = (documents.document_frequencies() >= min_documents) & (share < 1.0)
    return _best(documents, _presence_entropy(share), allowed, limit)


def is_content(word: str, stop_words: Collection[str]) -> bool:
    """Return whether a word may say something by itself: letters, more than a few, and no stop word."""
    return len(word) >= MIN_LETTERS and word.isalpha() and word not in stop_words


def _presence_entropy(share: NDArray[np.float64]) -> NDArray[np.float64]:
    inside = np.clip(share, 1e-12, 1 - 1e-12)
    return -inside * np.log(inside) - (1 - inside) * np.log(1 - inside)


def _best(documents: Documents, worth: NDArray[np.float64], allowed: NDArray[np.bool_], limit: int) -> list[str]:
    # Terms are in alphabetical order, so a stable sort breaks ties by the alphabet.
    order = np.argsort(-worth, kind="stable")
    return [documents.terms[column] for column in order if allowed[column]][:limit]
