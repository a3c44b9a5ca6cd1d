"""Safe comments: a score below the threshold (AIC 3, Eq. 2), or above an upper cap."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from photocritic.filtering import arrow_io, counting, threshold
from photocritic.filtering.agreement import Agreement, Floats
from photocritic.filtering.composition import content, ngrams, order
from photocritic.filtering.contract import CommentBatch, FittedFilter, Verdicts
from photocritic.filtering.grouping import PART, ROW, SHARD
from photocritic.filtering.informativeness import Vocabulary
from photocritic.text import Tagged

BELOW, ABOVE = "uninformative", "above_upper"
_TOGETHER = PART // SHARD  # batches scored at once: each time the corpus's vocabulary is made ready to be looked up
COUNTS = "ngrams.arrow"  # the corpus's n-gram counts in the fitted folder


class Score(FittedFilter):
    """Rejects texts that score too low by informativeness, agreement with others' comments, or both.

    `filter.score` says which score, `filter.threshold` and `filter.upper` which are kept. `both` is the geometric mean
    of the two. Stylised captions are scored, too; they and rejected comments say nothing about others.
    """

    paper = "AIC 3, Eq. 1-2; agreement is ours"
    reasons = (BELOW, ABOVE)

    def observe(self, batch: CommentBatch) -> pa.Table:
        """Take down each comment's n-grams and words."""
        words = map(_words, batch.tagged()) if self.params.score != "informativeness" else [[]] * len(batch)
        counts = [not reason and not styled for reason, styled in zip(batch.reasons, batch.styled, strict=True)]
        return pa.table(
            {
                ROW: np.arange(batch.start, batch.start + len(batch)),
                "image_id": batch.rows.column("image_id"),
                "counts": pa.array(counts, pa.bool_()),
                "ngrams": pa.array(batch.ngrams(), pa.list_(pa.string())),
                "words": pa.array(words, pa.list_(pa.string())),
            }
        )

    def combine(self, observed: list[Path], folder: Path) -> None:
        """Count the corpus's n-grams (Eq. 1), score every comment, and find the threshold."""
        counts = counting.merged((_counted(table) for table in arrow_io.stream(observed)), "ngram")
        arrow_io.write(folder / COUNTS, counts)
        eligible = []
        for table, scores in self._scored(observed, Vocabulary(counts), folder):
            if table.num_rows:
                arrow_io.write(_place(folder, table.column(ROW)[0].as_py()), pa.table({"score": scores}))
            eligible.append(scores[table.column("counts").to_numpy(zero_copy_only=False).astype(bool)])
        found = threshold.resolve(self.params.threshold, np.concatenate(eligible) if eligible else np.empty(0))
        (folder / "threshold.json").write_text(json.dumps(found))

    def load(self, folder: Path) -> None:
        """Find the scores and the threshold."""
        self._folder = folder
        self.threshold: float = json.loads((folder / "threshold.json").read_text())

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the score."""
        scores: list[float] = arrow_io.read(_place(self._folder, batch.start)).column("score").to_pylist()
        return Verdicts([self._reason(score) for score in scores], scores=scores)

    def _reason(self, score: float) -> str:
        if score < self.threshold:
            return BELOW
        return ABOVE if self.params.upper is not None and score > self.params.upper else ""

    def _scored(self, observed: list[Path], vocabulary: Vocabulary, folder: Path) -> Iterator[tuple[pa.Table, Floats]]:
        kind = self.params.score
        agreement = Agreement(observed, folder / "agreement") if kind != "informativeness" else None
        for start in range(0, len(observed), _TOGETHER):
            some = list(arrow_io.stream(observed[start : start + _TOGETHER]))
            table = pa.concat_tables(some)
            scores = vocabulary.scores(table.column("ngrams").combine_chunks())
            if agreement is not None:
                agreed = agreement.scores(table)
                scores = agreed if kind == "agreement" else np.sqrt(scores * agreed)
            ends = np.cumsum([one.num_rows for one in some])
            yield from zip(some, np.split(scores, ends[:-1]), strict=True)


def _place(folder: Path, start: int) -> Path:
    return folder / f"{start:09d}.arrow"


def _words(tagged: Tagged) -> list[str]:
    """Give a comment's different content words, and the bigrams among its n-grams."""
    words = [lemma for lemma, _ in content(tagged)]
    return list(dict.fromkeys([*words, *(ngram for ngram in ngrams(tagged) if order(ngram) == 2)]))


def _counted(table: pa.Table) -> pa.Table:
    return counting.counted(pc.list_flatten(table.filter(table.column("counts")).column("ngrams")), "ngram")
