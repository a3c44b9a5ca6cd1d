"""One batch of comments through one pass of the chain; what a worker process does."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from photocritic import tables
from photocritic.config import FilterParams, LanguageParams
from photocritic.filtering import arrow_io, registry
from photocritic.filtering.annotation import Annotator
from photocritic.filtering.contract import CommentBatch, Filter, FittedFilter, apply
from photocritic.filtering.grouping import SHARD
from photocritic.filtering.pictures import Pictures

_CARRIED = {
    "texts": pa.string(),
    "scores": pa.float64(),
    "reasons": pa.string(),
    "forms": pa.string(),
    "entities": pa.list_(pa.string()),
}  # what batches carry from pass to pass
_NGRAMS = "ngrams"  # carried beside them, so that texts which stay as they are need not be tagged again


@dataclass(frozen=True)
class Job:
    """What is to be filtered, and how.

    Attributes
    ----------
    comments, images : Path
        The tables.
    params : FilterParams
        The chain.
    language : LanguageParams
        The pipeline that tags and parses.
    work : Path
        The folder of all that is left between the passes.
    """

    comments: Path
    images: Path | None
    params: FilterParams
    language: LanguageParams
    work: Path

    @cached_property
    def chain(self) -> list[Filter]:
        """Give the filters in order."""
        return registry.chain(self.params)

    @cached_property
    def passes(self) -> list[tuple[list[Filter], FittedFilter | None]]:
        """Cut the chain where a filter must see the whole corpus.

        Each pass has the filters that judge in it, and the filter that observes what they have left; that one judges
        first in the next pass.
        """
        cut: list[tuple[list[Filter], FittedFilter | None]] = []
        judging: list[Filter] = []
        for rule in self.chain:
            if isinstance(rule, FittedFilter):
                cut.append((judging, rule))
                judging = []
            judging.append(rule)
        return [*cut, (judging, None)]

    def output(self, number: int, shard: int) -> Path:
        """Give the file of a batch after a pass."""
        return self.work / f"pass-{number}" / f"{shard:06d}.arrow"

    def observed(self, number: int, shard: int) -> Path:
        """Give the file of what was observed of a batch at the end of a pass."""
        return self.work / f"observed-{number}" / f"{shard:06d}.arrow"

    def fitted(self, number: int) -> Path:
        """Give the folder of the filter that was fitted at the end of a pass."""
        return self.work / f"fitted-{number}"


class Worker:
    """Carries batches through passes; there is one a process.

    Parameters
    ----------
    job : Job
        What is to be done.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._annotator = Annotator(job.language)
        self._pictures = Pictures(job.images)
        self._ready = -1  # the last pass whose fitted filter is loaded

    def run(self, number: int, shard: int) -> int:
        """Carry one batch through one pass, and give its number of comments.

        The batch's file is written last, so that a batch whose file stands is done.
        """
        rules, observer = self._job.passes[number]
        if number and self._ready != number:
            first = rules[0]
            assert isinstance(first, FittedFilter)
            first.load(self._job.fitted(number - 1))
            self._ready = number
        batch = self._batch(number, shard)
        for rule in rules:
            apply(rule, batch)
        if observer is not None:
            arrow_io.write(self._job.observed(number, shard), observer.observe(batch))
        arrow_io.write(self._job.output(number, shard), _captions(batch) if observer is None else _carried(batch))
        return len(batch)

    def _batch(self, number: int, shard: int) -> CommentBatch:
        start = shard * SHARD
        if number == 0:
            rows = tables.part("comments", self._job.comments, start, SHARD)
            texts, count = rows.column("text").to_pylist(), rows.num_rows
            blank = [""] * count
            return CommentBatch(
                start, rows, self._annotator, self._pictures, texts, [0.0] * count, blank, blank, [[]] * count
            )
        table = arrow_io.read(self._job.output(number - 1, shard))
        columns = {name: table.column(f"_{name}").to_pylist() for name in _CARRIED}
        rows = table.drop_columns([name for name in table.column_names if name.startswith("_")])
        batch = CommentBatch(start, rows, self._annotator, self._pictures, **columns)
        if f"_{_NGRAMS}" in table.column_names:
            batch.recall_ngrams(table.column(f"_{_NGRAMS}").to_pylist())
        return batch


def _carried(batch: CommentBatch) -> pa.Table:
    table = batch.rows
    for name, kind in _CARRIED.items():
        table = table.append_column(f"_{name}", pa.array(getattr(batch, name), kind))
    if batch.has_ngrams:
        table = table.append_column(f"_{_NGRAMS}", pa.array(batch.ngrams(), pa.list_(pa.string())))
    return table.combine_chunks()


def _captions(batch: CommentBatch) -> pa.Table:
    words = pa.list_(pa.string())
    columns = {
        "cleaned": pa.array(batch.texts, pa.string()),
        "tokens": pa.array(batch.tokens(), words),
        "ngrams": pa.array(batch.ngrams(), words),
        "form": pa.array([form or None for form in batch.forms], pa.string()),
        "score": pa.array(batch.scores, pa.float64()),
        "kept": pa.array([not reason for reason in batch.reasons], pa.bool_()),
        "reason": pa.array(batch.reasons, pa.string()),
    }
    table = batch.rows
    for name, values in columns.items():
        table = table.append_column(name, values)
    return table.combine_chunks()
