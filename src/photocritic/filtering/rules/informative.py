"""Safe comments: AIC's informativeness below the threshold (section 3, Eq. 2), or above an upper cap."""

from collections.abc import Iterable

from photocritic.filtering.contract import CommentBatch, Verdicts
from photocritic.filtering.informativeness import Vocabulary
from photocritic.params import FilterParams

UNINFORMATIVE, ABOVE_UPPER = "uninformative", "above_upper"


class Informative:
    """Scores every comment, and rejects those outside the band; stylised captions are scored but pass.

    Parameters
    ----------
    threshold : float
        Least score to keep.
    upper : float or None
        Greatest score to keep.
    vocabulary : Vocabulary, optional
        A fitted one; made by `fit` otherwise.
    """

    reasons: tuple[str, ...] = (UNINFORMATIVE, ABOVE_UPPER)

    def __init__(self, threshold: float, upper: float | None, vocabulary: Vocabulary | None = None) -> None:
        self._threshold, self._upper = threshold, upper
        self.fits = vocabulary is None
        self.vocabulary = vocabulary or Vocabulary()

    def fit(self, batches: Iterable[CommentBatch]) -> None:
        """Count the n-grams of the comments that earlier filters let through (Eq. 1); stylised captions are none."""
        for batch in batches:
            for ngrams, reason, styled in zip(batch.ngrams, batch.reasons, batch.styled, strict=True):
                if not styled and not reason:
                    self.vocabulary.add(ngrams)

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the score."""
        scores = [self.vocabulary.score(ngrams) for ngrams in batch.ngrams]
        reasons = ["" if styled else self._reason(score) for score, styled in zip(scores, batch.styled, strict=True)]
        return Verdicts(reasons, scores)

    def _reason(self, score: float) -> str:
        if score < self._threshold:
            return UNINFORMATIVE
        return ABOVE_UPPER if self._upper is not None and score > self._upper else ""


def create(params: FilterParams) -> Informative:
    """Make the filter from threshold and upper."""
    return Informative(params.threshold, params.upper)
