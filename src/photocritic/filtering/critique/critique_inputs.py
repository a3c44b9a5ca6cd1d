"""What a critique model sees of comments: signals, the means of their words' vectors, and counts of words and pairs."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from photocritic.filtering.critique.comment_signals import SignalExtractor
from photocritic.filtering.critique.word_table import WordTable
from photocritic.text import Tagged

Floats = NDArray[np.float64]

_LEMMA = r"\S+"  # lemmas are joined by spaces
_BITS = 20  # of the hashes of lemmas and pairs of lemmas


class Inputs(NamedTuple):
    """What a critique model sees of comments.

    Attributes
    ----------
    dense : ndarray of float64, (N, F)
        Signals, and the mean vectors of words and of nouns.
    counts : scipy.sparse.csr_matrix, (N, 2^20)
        How often each lemma and each pair of neighbours occurs, by hash.
    """

    dense: Floats
    counts: Any

    def rows(self, of: NDArray[np.int64]) -> "Inputs":
        """Return some of the comments."""
        return Inputs(self.dense[of], self.counts[of])

    def tfidf(self, terms: NDArray[np.int64], idf: Floats) -> Any:
        """Return the TF-IDF of some terms: sublinear frequencies, rows of unit length; sparse, (N, V)."""
        from sklearn.preprocessing import normalize

        chosen = self.counts[:, terms]
        chosen.data = (1 + np.log(chosen.data)) * idf[chosen.indices]
        return normalize(chosen, copy=False)


class InputExtractor:
    """Computes the inputs of tagged comments.

    Parameters
    ----------
    table : WordTable
        What the community's words are like.

    Attributes
    ----------
    signals : SignalExtractor
        Computes the signals alone.
    """

    def __init__(self, table: WordTable) -> None:
        from sklearn.feature_extraction.text import HashingVectorizer

        self.signals = SignalExtractor(table)
        self._hashing = HashingVectorizer(
            ngram_range=(1, 2), n_features=1 << _BITS, token_pattern=_LEMMA, norm=None, alternate_sign=False
        )

    def extract(self, comments: Sequence[Tagged]) -> Inputs:
        """Return the inputs of some comments."""
        signals = self.signals.extract(comments)
        counts = self._hashing.transform(" ".join(comment.lemmas) for comment in comments)
        return Inputs(np.hstack([signals.values, signals.meaning]), counts.tocsr())
