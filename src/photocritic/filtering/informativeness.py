"""AIC's informativeness: n-gram probabilities of a corpus (Eq. 1) and the score of a comment (Eq. 2)."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic import tables
from photocritic.filtering.composition import SEPARATOR

Floats = NDArray[np.float64]


class Vocabulary:
    """How often each n-gram occurs in a corpus, with totals by order (1: unigrams, 2: bigrams).

    Parameters
    ----------
    counts : pyarrow.Table
        Columns `ngram` and `count`, each n-gram once (`counting.merged`).

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
        """Give the number of different n-grams of an order."""
        return int((self._orders == of_order).sum())

    def scores(self, ngrams: pa.Array | pa.ChunkedArray) -> Floats:
        """Give the informativeness of comments, AIC Eq. 2: half the sum of their n-grams' negative log-probabilities.

        Parameters
        ----------
        ngrams : pyarrow list<string>, (N,)
            Each comment's n-grams (`composition.ngrams`).

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
        """Give the ngrams table: n-grams seen at least `min_count` times, by order, count and alphabet.

        Where none is seen so often, as in a handful of comments, the most frequent are given. Probabilities (Eq. 1) are
        those of the whole vocabulary, so that they sum to less than 1 where rare ones are left out.
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
