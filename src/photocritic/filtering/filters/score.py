"""Safe comments: a score below the threshold (AIC 3, Eq. 2), or above an upper cap."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from photocritic.filtering.agreement_score import Agreement
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import FittedFilter, Verdicts
from photocritic.filtering.informativeness import Floats, Vocabulary, content_words, ngram_order, ngrams
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
from photocritic.text import Tagged

BELOW, ABOVE = "uninformative", "above_upper"
_TOGETHER = PART // SHARD  # batches scored at once: each time the corpus's vocabulary is hashed anew
COUNTS = "ngrams.arrow"  # the corpus's n-gram counts in the fitted folder
_BINS = 1024  # of the histogram whose valley is the threshold


class Score(FittedFilter):
    """Rejects texts that score too low by informativeness, agreement with others' comments, or both.

    `filter.score` says which score, `filter.threshold` and `filter.upper` which are kept. `both` is the geometric mean
    of the two. Stylised captions are scored, too; they and rejected comments say nothing about others.
    """

    paper = "AIC 3, Eq. 1-2; agreement is ours"
    reasons = (BELOW, ABOVE)
    adds: ClassVar = {"score": pa.float64()}

    def observe(self, batch: CommentBatch) -> pa.Table:
        """Return each comment's n-grams and words."""
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
        counts = merge_counts((_counted(table) for table in stream_arrow(observed)), "ngram")
        write_arrow(folder / COUNTS, counts)
        eligible = []
        for table, scores in self._scored(observed, Vocabulary(counts), folder):
            if table.num_rows:
                write_arrow(_place(folder, table.column(ROW)[0].as_py()), pa.table({"score": scores}))
            eligible.append(scores[table.column("counts").to_numpy(zero_copy_only=False).astype(bool)])
        found = resolve_threshold(self.params.threshold, np.concatenate(eligible) if eligible else np.empty(0))
        (folder / "threshold.json").write_text(json.dumps(found))

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

    def _scored(self, observed: list[Path], vocabulary: Vocabulary, folder: Path) -> Iterator[tuple[pa.Table, Floats]]:
        kind = self.params.score
        agreement = Agreement(observed, folder / "agreement") if kind != "informativeness" else None
        for start in range(0, len(observed), _TOGETHER):
            some = list(stream_arrow(observed[start : start + _TOGETHER]))
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
    """Return a comment's different content words, and the bigrams among its n-grams."""
    words = [lemma for lemma, _ in content_words(tagged)]
    return list(dict.fromkeys([*words, *(ngram for ngram in ngrams(tagged) if ngram_order(ngram) == 2)]))


def _counted(table: pa.Table) -> pa.Table:
    return count_values(pc.list_flatten(table.filter(table.column("counts")).column("ngrams")), "ngram")


def resolve_threshold(threshold: float | str, scores: Floats) -> float:
    """Return the least score that is kept.

    Parameters
    ----------
    threshold : float or str
        A score, "auto" (`valley`), or "keep S": the threshold that keeps the share S of the scores.
    scores : ndarray, (N,)
        The corpus's scores.

    Returns
    -------
    float
        0 where a share or a valley is asked of no scores.
    """
    if isinstance(threshold, float | int):
        return float(threshold)
    if not len(scores):
        return 0.0
    if threshold == "auto":
        return valley(scores)
    share = float(threshold.removeprefix("keep "))
    kept = round(share * len(scores))
    return float(np.sort(scores)[len(scores) - kept]) if kept else float(np.nextafter(scores.max(), np.inf))


def valley(scores: Floats) -> float:
    """Return the score that splits scores in two such that the variance of log(1 + score) within the parts is least.

    Safe and informative comments make two humps on a logarithmic scale; the cut needs no labels.

    References
    ----------
    Otsu 1979, A threshold selection method from gray-level histograms, Eq. 14-18.
    """
    logs = np.log1p(np.maximum(scores, 0.0))
    if logs.min() == logs.max():
        return float(scores.min())
    counts, edges = np.histogram(logs, _BINS)
    centres = (edges[1:] + edges[:-1]) / 2
    below, moment = np.cumsum(counts)[:-1], np.cumsum(counts * centres)[:-1]
    above = len(logs) - below
    total = float((counts * centres).sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (total * below / len(logs) - moment) ** 2 / (below * above)
    best = np.flatnonzero(between >= np.nanmax(between) * (1 - 1e-9))  # several where nothing lies in the valley
    return float(np.expm1(edges[1:][best].mean()))
