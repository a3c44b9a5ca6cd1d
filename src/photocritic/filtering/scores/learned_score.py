"""The learned score: the probability that a comment informs, by a model that judged comments have taught."""

from itertools import chain

import numpy as np
import pyarrow as pa
from scipy.special import expit, logit

from photocritic.config import FilterParams
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.comment_score import CommentScore
from photocritic.filtering.critique.critique_model import in_context, load_critique_model
from photocritic.filtering.informativeness import Floats
from photocritic.filtering.score_threshold import probability_threshold
from photocritic.text import Tagged

_DIGITS = 6  # what differs from machine to machine is behind them
_SHOWN = 8  # signals, and words, that an explanation shows
_AROUND = "the comment around it"
_ROUNDING = 1e-3  # of log-odds: less is no context but the score's last digits


class Learned(CommentScore):
    """Scores comments by the probability that they inform, from 0 to 100 (`CritiqueModel`).

    `filter.model` says which model. `auto` keeps what makes the F1 to be expected largest; `precision 0.9` and
    `recall 0.9` keep what promises that.
    """

    def __init__(self, params: FilterParams) -> None:
        super().__init__(params)
        self._model = load_critique_model(params.model_path)

    def observe(self, batch: CommentBatch) -> dict[str, pa.Array]:
        """Return the probability of each comment, or of each sentence in its comment, in percent."""
        tagged, first = batch.tagged(), batch.comments
        odds = self._model.judge(tagged)
        begins, lengths = np.unique(first, return_counts=True)
        several = lengths > 1
        if several.any():
            comments = [
                _joined(tagged[at : at + rows]) for at, rows in zip(begins[several], lengths[several], strict=True)
            ]
            of_several = np.repeat(several, lengths)
            around = np.repeat(self._model.judge(comments), lengths[several])
            odds[of_several] = in_context(odds[of_several], around)
        return {"learned": pa.array(np.round(100 * expit(odds), _DIGITS))}

    def scores(self, table: pa.Table) -> Floats:
        """Return the probabilities of observed comments in percent, (N,)."""
        return np.asarray(table.column("learned").to_numpy())

    def threshold(self, wanted: str, scores: Floats) -> float:
        """Return the least score that is kept (`probability_threshold`)."""
        return 100 * probability_threshold(wanted, scores / 100)

    def explain(self, batch: CommentBatch, scores: list[float]) -> list[dict[str, float]]:
        """Return what the log-odds of each comment lose without a signal, one of its words, or its context."""
        explained = []
        for tagged, score in zip(batch.tagged(), scores, strict=True):
            signals, words = self._model.explain(tagged), self._model.explain_words(tagged)
            shown = dict(list(signals.items())[:_SHOWN])
            shown |= {f"“{word}”": share for word, share in list(words.items())[:_SHOWN]}
            if self.params.unit == "sentence" and len(self.params.scores) == 1 and 0 < score < 100:
                around = float(logit(score / 100) - self._model.judge([tagged])[0])
                shown |= {_AROUND: around} if abs(around) > _ROUNDING else {}
            explained.append(shown)
        return explained


def _joined(sentences: list[Tagged]) -> Tagged:
    return Tagged(*(list(chain.from_iterable(columns)) for columns in zip(*sentences, strict=True)))
