"""AIC's informativeness: a comment's n-grams, their probabilities in a corpus (Eq. 1), and the score (Eq. 2)."""

import re
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic import tables
from photocritic.text import STOPWORDS, Coarse, Tagged, american, coarse

Floats = NDArray[np.float64]

_FIRST = frozenset({"NOUN", "ADJ", "ADV"})
_SECOND = frozenset({"NOUN", "ADJ"})
SEPARATOR = "_"  # joins a bigram's lemmas; does not occur within a lemma
_WORD = re.compile(r"['’]?[^\W_]")


def ngrams(tagged: Tagged) -> list[str]:
    """Return a comment's nouns and its "descriptor-object" bigrams, as lemmas (AIC section 3, word composition).

    Stop words and punctuation are taken out first, so that "trees in the background" has the bigram tree_background.
    Spelling variants count as one word (colour, color).

    Parameters
    ----------
    tagged : Tagged
        The comment.

    Returns
    -------
    list of str
        The unigrams in order (common nouns), then the bigrams in order (noun, adjective or adverb; then noun or
        adjective), their lemmas joined by `SEPARATOR`. What occurs twice stands twice.
    """
    found = content_words(tagged)
    unigrams = [lemma for lemma, word_class in found if word_class == "NOUN"]
    bigrams = [
        first + SEPARATOR + second
        for (first, first_class), (second, second_class) in pairwise(found)
        if first_class in _FIRST and second_class in _SECOND
    ]
    return unigrams + bigrams


def content_words(tagged: Tagged) -> list[tuple[str, Coarse]]:
    """Return a comment's words without stop words and punctuation, as lemma and class."""
    return [kept for kept in map(_content_word, *tagged) if kept is not None]


def ngram_order(ngram: str) -> int:
    """Return 1 for a unigram and 2 for a bigram."""
    return 2 if SEPARATOR in ngram else 1


@lru_cache(maxsize=1 << 17)
def _content_word(word: str, tag: str, lemma: str) -> tuple[str, Coarse] | None:
    if word.lower() in STOPWORDS or not _WORD.match(word):
        return None
    return american(lemma).replace(SEPARATOR, "-"), coarse(tag)


class Vocabulary:
    """How often each n-gram occurs in a corpus, with totals by order (1: unigrams, 2: bigrams).

    Parameters
    ----------
    counts : pyarrow.Table
        Columns `ngram` and `count`, each n-gram once (`out_of_core.merge_counts`).

    Examples
    --------
    >>> vocabulary = Vocabulary(pa.table({"ngram": ["tree", "sky", "blue_sky"], "count": [2, 1, 1]}))
    >>> vocabulary.scores(pa.array([["tree"], []])).round(4).tolist()  # -1/2 ln(2/3); no n-gram, no information
    [0.2027, 0.0]
    """

    def __init__(self, counts: pa.Table) -> None:
        self._ngrams = pc.cast(counts.column("ngram"), pa.string()).combine_chunks()
        self._counts: NDArray[np.int64] = counts.column("count").to_numpy().astype(np.int64)
        self._orders = _orders(self._ngrams)
        self._totals = {order: max(int(self._counts[self._orders == order].sum()), 1) for order in (1, 2)}

    def size(self, of_order: int) -> int:
        """Return the number of different n-grams of an order."""
        return int((self._orders == of_order).sum())

    def scores(self, ngrams: pa.Array | pa.ChunkedArray) -> Floats:
        """Compute comments' informativeness, AIC Eq. 2: half the sum of their n-grams' negative log-probabilities.

        Parameters
        ----------
        ngrams : pyarrow list<string>, (N,)
            Each comment's n-grams (`ngrams`).

        Returns
        -------
        ndarray, (N,)
            0 without n-grams; natural logarithm, without upper bound. An n-gram never seen counts as seen once, so that
            a new text's rarest n-grams weigh as much as the corpus's own.
        """
        flat, owners = pc.list_flatten(ngrams), pc.list_parent_indices(ngrams)
        seen = pc.fill_null(pc.index_in(flat, value_set=self._ngrams), -1).to_numpy(zero_copy_only=False)
        counts = np.where(seen >= 0, self._counts[seen] if len(self._counts) else 1, 1)
        totals = np.where(_orders(flat) == 2, self._totals[2], self._totals[1])
        surprise = -0.5 * np.log(counts / totals)
        scores = np.bincount(owners.to_numpy(zero_copy_only=False), surprise, minlength=len(ngrams))
        return scores.astype(np.float64) + 0.0

    def table(self, min_count: int) -> pa.Table:
        """Return the ngrams table: n-grams seen at least `min_count` times, by order, count and alphabet.

        Where none is seen so often, as in a handful of comments, the most frequent are returned. Probabilities (Eq. 1)
        are those of the whole vocabulary, so that they sum to less than 1 where rare ones are left out.
        """
        least = min(min_count, int(self._counts.max(initial=1)))
        totals = np.where(self._orders == 2, self._totals[2], self._totals[1])
        table = pa.table(
            {
                "ngram": self._ngrams,
                "order": pa.array(self._orders, pa.int8()),
                "count": pa.array(self._counts, pa.int64()),
                "probability": self._counts / totals,
            }
        )
        frequent = table.filter(pa.array(self._counts >= least))
        sorted_ = frequent.sort_by([("order", "ascending"), ("count", "descending"), ("ngram", "ascending")])
        return sorted_.cast(tables.schema("ngrams"))


def _orders(ngrams: pa.Array | pa.ChunkedArray) -> NDArray[np.int8]:
    pairs = pc.match_substring(ngrams, SEPARATOR).to_numpy(zero_copy_only=False)
    return np.where(pairs.astype(bool), 2, 1).astype(np.int8)
