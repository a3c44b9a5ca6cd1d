"""Specificity: how far a comment's words are about this photograph and few others; nobody need have judged any."""

import numpy as np
import pyarrow as pa

from photocritic.config import FilterParams
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.comment_score import CommentScore
from photocritic.filtering.critique.critique_model import load_critique_model
from photocritic.filtering.informativeness import Floats

_SCALE = 20.0  # so that most scores lie between 0 and 120, as those of informativeness do
_DIGITS = 6  # what differs from machine to machine is behind them


class Specificity(CommentScore):
    """Scores comments by their most particular words (`SignalExtractor.specificity`).

    A word is particular where people use it as they use words for what is seen, not as they use words of praise, and
    where it comes again under the same photograph. Six words count at most, so that length is no merit.
    """

    def __init__(self, params: FilterParams) -> None:
        super().__init__(params)
        self._signals = load_critique_model(params.model_path).signals

    def observe(self, batch: CommentBatch) -> dict[str, pa.Array]:
        """Return each comment's specificity."""
        found = self._signals.specificity(batch.tagged())
        return {"specificity": pa.array(np.round(_SCALE * found, _DIGITS))}

    def scores(self, table: pa.Table) -> Floats:
        """Return the specificity of observed comments, (N,)."""
        return np.asarray(table.column("specificity").to_numpy())

    def explain(self, batch: CommentBatch, scores: list[float]) -> list[dict[str, float]]:  # noqa: ARG002 - its words say all
        """Return what each of a comment's most particular words adds."""
        return [
            {word: _SCALE * share for word, share in self._signals.particular_words(tagged).items()}
            for tagged in batch.tagged()
        ]
