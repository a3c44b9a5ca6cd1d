"""The interface of a score: what a comment's n-grams, words or photograph's other comments say of its worth."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pyarrow as pa

from photocritic.config import FilterParams
from photocritic.core import plugins
from photocritic.core.errors import ParamsError
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.informativeness import Floats, Vocabulary
from photocritic.filtering.score_threshold import valley


@dataclass(frozen=True)
class Observed:
    """What was observed of a corpus before its comments are scored.

    Attributes
    ----------
    batches : list of Path
        Arrow files, one a batch of comments in order, with the columns `row` (int64), `image_id`, `ngrams`
        (`informativeness.ngrams`), `counts` (bool: whether the comment counts for others), `unstyled` (bool: whether it
        is no stylised caption), `fits` (bool: whether what holds of the whole corpus may be learned from it,
        `filter.fit`), and those of the scores.
    vocabulary : Vocabulary
        How often each n-gram occurs in all unstyled comments, whether or not an earlier filter rejected them (AIC 3).
    folder : Path
        A folder of the score's own; empty before it is fitted.
    """

    batches: list[Path]
    vocabulary: Vocabulary
    folder: Path


class CommentScore(ABC):
    """One way to score comments, found by the name of its file in `filter.score`.

    Batches are observed in any order and by any process; then one process fits the score to all of them, and scores
    the comments in their order.

    Parameters
    ----------
    params : FilterParams
        The section `filter` of params.yaml.

    Attributes
    ----------
    paper : str
        Where it comes from: paper and equation.
    """

    paper: ClassVar[str] = ""

    def __init__(self, params: FilterParams) -> None:
        self.params = params

    def observe(self, batch: CommentBatch) -> dict[str, pa.Array]:  # noqa: ARG002 - most scores need no more
        """Return columns to observe of a batch besides those that all scores share, a value a comment."""
        return {}

    def fit(self, observed: Observed) -> None:  # noqa: B027 - a score of a comment's own words has nothing to fit
        """Learn from the whole corpus what its comments' scores depend on."""

    def restore(self, observed: Observed) -> None:  # noqa: B027 - most explain by a comment's own words
        """Load what `explain` needs of what `fit` has left in the folder; no batch is there any more."""

    @abstractmethod
    def scores(self, table: pa.Table) -> Floats:
        """Return the scores of the comments in some observed tables that follow each other, (N,), at least 0."""

    def threshold(self, wanted: str, scores: Floats) -> float:
        """Return the least score that is kept.

        Parameters
        ----------
        wanted : str
            `auto`, `precision P` or `recall R`.
        scores : ndarray, (N,)
            The corpus's scores, one at least.

        Raises
        ------
        ParamsError
            A precision or a recall is asked of a score that is no probability.
        """
        if wanted != "auto":
            raise ParamsError(
                f"filter.threshold: '{wanted}' asks for probabilities, which `filter.score: learned` alone has "
                "(`photocritic filter train` learns it from judged comments); for other scores write a number, auto, "
                "or keep 0.3"
            )
        return valley(scores)

    def explain(self, batch: CommentBatch, scores: list[float]) -> list[dict[str, float]]:
        """Return what makes up the score of each comment of a batch: shares by word or signal, the largest first.

        Parameters
        ----------
        batch : CommentBatch
            Comments from anywhere in the corpus, as the filters before have left them.
        scores : list of float
            Their scores.
        """
        return [{"score": score} for score in scores[: len(batch)]]


def find(name: str) -> type[CommentScore]:
    """Return the class of a score; raises ParamsError where there is none of this name."""
    found: type[CommentScore] = plugins.find("score", name, "filter.score")
    return found
