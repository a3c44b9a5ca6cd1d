"""Safe comments: a score below the threshold (AIC 3, Eq. 2), or above an upper cap."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from photocritic.config import Block, FilterParams
from photocritic.filtering import comment_score
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.comment_score import CommentScore, Observed
from photocritic.filtering.filter_interface import FittedFilter, Verdicts
from photocritic.filtering.informativeness import Floats, Vocabulary
from photocritic.filtering.out_of_core import (
    PART,
    ROW,
    SHARD,
    count_values,
    merge_counts,
    read_arrow,
    stream_arrow,
    write_arrow,
)
from photocritic.filtering.score_threshold import share_threshold

BELOW, ABOVE = "uninformative", "above_upper"
_TOGETHER = PART // SHARD  # batches scored at once: each time the corpus's vocabulary is hashed anew
COUNTS = "ngrams.arrow"  # the corpus's n-gram counts in the fitted folder


class Score(FittedFilter):
    """Rejects texts that score too low by informativeness, agreement with others' comments, or several scores together.

    `filter.score` says which score, `filter.threshold` and `filter.upper` which are kept. Several scores count by their
    geometric mean. Stylised captions are scored, too; they and rejected comments say nothing about others. N-grams are
    counted over all comments but those captions. N-grams, gains of words and the threshold are those of the comments
    that `filter.fit` names.
    """

    paper = "AIC 3, Eq. 1-2; agreement is ours"
    reasons = (BELOW, ABOVE)
    decides = True
    adds: ClassVar = {"score": pa.float64()}

    def __init__(self, options: Block, params: FilterParams) -> None:
        super().__init__(options, params)
        self._scores: list[CommentScore] = [comment_score.find(name)(params) for name in params.scores]

    def observe(self, batch: CommentBatch) -> pa.Table:
        """Return each comment's n-grams, and what else the scores want to know."""
        unstyled = [not styled for styled in batch.styled]
        counts = [not reason and plain for reason, plain in zip(batch.reasons, unstyled, strict=True)]
        columns = {
            ROW: np.arange(batch.start, batch.start + len(batch)),
            "image_id": batch.rows.column("image_id"),
            "counts": pa.array(counts, pa.bool_()),
            "unstyled": pa.array(unstyled, pa.bool_()),
            "fits": pa.array(self.learns_from(batch), pa.bool_()),
            "ngrams": pa.array(batch.ngrams(), pa.list_(pa.string())),
        }
        for score in self._scores:
            columns |= score.observe(batch)
        return pa.table(columns)

    def combine(self, observed: list[Path], folder: Path) -> None:
        """Count the corpus's n-grams (Eq. 1), score every comment, and find the threshold."""
        counts = merge_counts((_counted(table) for table in stream_arrow(observed)), "ngram")
        write_arrow(folder / COUNTS, counts)
        vocabulary = Vocabulary(counts)
        for name, score in zip(self.params.scores, self._scores, strict=True):
            score.fit(Observed(observed, vocabulary, folder / name))
        eligible = []
        for table, scores in self._scored(observed):
            if table.num_rows:
                write_arrow(_place(folder, table.column(ROW)[0].as_py()), pa.table({"score": scores}))
            eligible.append(scores[np.asarray(pc.and_(table.column("counts"), table.column("fits")))])
        found = self._threshold(np.concatenate(eligible) if eligible else np.empty(0))
        (folder / "threshold.json").write_text(json.dumps(found))

    def _threshold(self, scores: Floats) -> float:
        """Return the least score that is kept; 0 where there are none to find it by."""
        wanted = self.params.threshold
        if isinstance(wanted, float | int):
            return float(wanted)
        if not len(scores):
            return 0.0
        if wanted.startswith("keep "):
            return share_threshold(float(wanted.removeprefix("keep ")), scores)
        if len(self._scores) == 1:
            return self._scores[0].threshold(wanted, scores)
        return CommentScore.threshold(self._scores[0], wanted, scores)  # a mean of several is no probability

    def explain(self, batch: CommentBatch, scores: list[float], folder: Path) -> list[dict[str, float]]:
        """Return what makes up comments' scores: shares by word or signal of each score.

        Parameters
        ----------
        batch : CommentBatch
            Comments from anywhere in the corpus, as the filters before have left them.
        scores : list of float
            Their scores.
        folder : Path
            What `combine` has written.
        """
        vocabulary = Vocabulary(read_arrow(folder / COUNTS))
        explained: list[dict[str, float]] = [{} for _ in scores]
        for name, score in zip(self.params.scores, self._scores, strict=True):
            score.restore(Observed([], vocabulary, folder / name))
            prefix = f"{name}: " if len(self._scores) > 1 else ""
            for whole, shares in zip(explained, score.explain(batch, scores), strict=True):
                whole |= {prefix + signal: share for signal, share in shares.items()}
        return explained

    def load(self, folder: Path) -> None:
        """Load the threshold; each batch loads its own scores."""
        self._folder = folder
        self.threshold: float = json.loads((folder / "threshold.json").read_text())

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the score."""
        scores: list[float] = read_arrow(_place(self._folder, batch.start)).column("score").to_pylist()
        return Verdicts([self._reason(score) for score in scores], columns={"score": scores})

    def _reason(self, score: float) -> str:
        if score < self.threshold:
            return BELOW
        return ABOVE if self.params.upper is not None and score > self.params.upper else ""

    def _scored(self, observed: list[Path]) -> Iterator[tuple[pa.Table, Floats]]:
        for start in range(0, len(observed), _TOGETHER):
            some = list(stream_arrow(observed[start : start + _TOGETHER]))
            table = pa.concat_tables(some)
            found = [score.scores(table) for score in self._scores]
            scores = found[0] if len(found) == 1 else np.prod(found, axis=0) ** (1 / len(found))
            ends = np.cumsum([one.num_rows for one in some])
            yield from zip(some, np.split(scores, ends[:-1]), strict=True)


def _place(folder: Path, start: int) -> Path:
    return folder / f"{start:09d}.arrow"


def _counted(table: pa.Table) -> pa.Table:
    """Count the n-grams of all that people wrote about photographs, what earlier filters rejected included (AIC 3)."""
    learned = pc.and_(table.column("unstyled"), table.column("fits"))
    return count_values(pc.list_flatten(table.filter(learned).column("ngrams")), "ngram")
