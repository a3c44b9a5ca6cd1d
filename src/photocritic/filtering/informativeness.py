"""AIC's informativeness: n-gram probabilities of a corpus (Eq. 1) and the score of a comment (Eq. 2)."""

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from photocritic import tables
from photocritic.filtering.composition import order


class Vocabulary:
    """How often each n-gram occurs in a corpus, with totals by order (1: unigrams, 2: bigrams).

    Examples
    --------
    >>> vocabulary = Vocabulary()
    >>> vocabulary.add(["tree", "sky", "tree", "blue_sky"])
    >>> round(vocabulary.score(["tree"]), 4)  # -1/2 ln(2/3)
    0.2027
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._totals = {1: 0, 2: 0}

    def add(self, ngrams: Iterable[str]) -> None:
        """Count the n-grams of one comment."""
        for ngram in ngrams:
            self._counts[ngram] += 1
            self._totals[order(ngram)] += 1

    def size(self, of_order: int) -> int:
        """Give the number of different n-grams of an order."""
        return sum(order(ngram) == of_order for ngram in self._counts)

    def words(self) -> dict[str, int]:
        """Give the unigrams and their counts."""
        return {ngram: count for ngram, count in self._counts.items() if order(ngram) == 1}

    def probability(self, ngram: str) -> float:
        """Give P(w) of AIC Eq. 1 within the n-gram's order; one never seen counts as seen once.

        The floor gives a new text's rarest n-grams the same weight as the corpus's own.
        """
        return max(self._counts.get(ngram, 0), 1) / max(self._totals[order(ngram)], 1)

    def score(self, ngrams: Iterable[str]) -> float:
        """Give the informativeness of a comment, AIC Eq. 2: half the sum of its n-grams' negative log-probabilities.

        Parameters
        ----------
        ngrams : iterable of str
            From `composition.ngrams`.

        Returns
        -------
        float
            0 without n-grams; natural logarithm, without upper bound.
        """
        return -0.5 * math.fsum(math.log(self.probability(ngram)) for ngram in ngrams) + 0.0

    def table(self, min_count: int) -> pa.Table:
        """Give the ngrams table: n-grams seen at least `min_count` times, by order, count and alphabet.

        Where none is seen so often, as in a handful of comments, the most frequent are given. Probabilities are those
        of the whole vocabulary, so that they sum to less than 1 where rare ones are left out.
        """
        least = min(min_count, max(self._counts.values(), default=1))
        kept = [(ngram, order(ngram), count) for ngram, count in self._counts.items() if count >= least]
        kept.sort(key=lambda row: (row[1], -row[2], row[0]))
        rows = [
            {"ngram": ngram, "order": size, "count": count, "probability": count / self._totals[size]}
            for ngram, size, count in kept
        ]
        return tables.from_rows("ngrams", rows)

    @classmethod
    def load(cls, path: Path) -> "Vocabulary":
        """Read a vocabulary from an ngrams table; totals follow from counts and probabilities.

        Scores equal the fitted corpus's where min_count was at most 2: what was left out then is found at the floor.
        """
        vocabulary = cls()
        for batch in tables.scan("ngrams", path):
            names, counts = batch.column("ngram").to_pylist(), batch.column("count").to_pylist()
            vocabulary._counts.update(dict(zip(names, counts, strict=True)))
            for size in vocabulary._totals:
                rows = batch.filter(pc.equal(batch.column("order"), pa.scalar(size, pa.int8())))
                if rows.num_rows:
                    first = rows.slice(0, 1).to_pylist()[0]
                    vocabulary._totals[size] = round(first["count"] / first["probability"])
        return vocabulary
