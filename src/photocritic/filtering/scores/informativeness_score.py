"""AIC's informativeness: how rare a comment's nouns and "descriptor-object" bigrams are (Eq. 2)."""

import pyarrow as pa

from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.comment_score import CommentScore, Observed
from photocritic.filtering.informativeness import Floats


class Informativeness(CommentScore):
    """Scores comments by half the sum of their n-grams' negative log-probabilities (`Vocabulary.scores`)."""

    paper = "AIC 3, Eq. 1-2"

    def fit(self, observed: Observed) -> None:
        """Take the corpus's n-gram counts."""
        self._vocabulary = observed.vocabulary

    def restore(self, observed: Observed) -> None:
        """Take the corpus's n-gram counts."""
        self.fit(observed)

    def scores(self, table: pa.Table) -> Floats:
        """Return the informativeness of observed comments, (N,)."""
        return self._vocabulary.scores(table.column("ngrams").combine_chunks())

    def explain(self, batch: CommentBatch, scores: list[float]) -> list[dict[str, float]]:  # noqa: ARG002 - its n-grams say all
        """Return what each n-gram adds; one that occurs twice adds twice."""
        explained = []
        for ngrams in batch.ngrams():
            shares = self._vocabulary.scores(pa.array([[ngram] for ngram in ngrams], pa.list_(pa.string())))
            summed: dict[str, float] = {}
            for ngram, share in zip(ngrams, shares.tolist(), strict=True):
                summed[ngram] = summed.get(ngram, 0.0) + share
            explained.append(dict(sorted(summed.items(), key=lambda entry: -entry[1])))
        return explained
