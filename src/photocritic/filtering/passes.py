"""Passes over a corpus: batches of comments through a part of the chain, in worker processes, one a core."""

import multiprocessing
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa

from photocritic import tables
from photocritic.config import FilterParams, LanguageParams
from photocritic.core.errors import PhotocriticError
from photocritic.filtering import filter_interface, out_of_core
from photocritic.filtering.comment_batch import Annotator, CommentBatch, ImageTable
from photocritic.filtering.comment_sentences import split_comments
from photocritic.filtering.filter_interface import Filter, FittedFilter, apply, observe
from photocritic.filtering.out_of_core import read_arrow, write_arrow

_STRINGS = pa.list_(pa.string())
# Columns of a batch's file between two passes, beside those of the comments table and of the filters (`Filter.adds`);
# with their n-grams, texts that stay as they are need not be tagged again.
_TEXTS, _REASONS, _NGRAMS = "_texts", "_reasons", "_ngrams"
_ADDED = "_added."  # begins the names of the filters' columns


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
        """The filters in order."""
        return filter_interface.chain(self.params)

    @cached_property
    def passes(self) -> list[tuple[list[Filter], FittedFilter | None]]:
        """The chain, cut where a filter must see the whole corpus.

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
        """Return the file of a batch after a pass."""
        return self.work / f"pass-{number}" / f"{shard:06d}.arrow"

    def observed(self, number: int, shard: int) -> Path:
        """Return the file of what was observed of a batch at the end of a pass."""
        return self.work / f"observed-{number}" / f"{shard:06d}.arrow"

    def fitted(self, number: int) -> Path:
        """Return the folder of the filter that was fitted at the end of a pass."""
        return self.work / f"fitted-{number}"


class Worker:
    """Runs batches through passes; there is one a process.

    Parameters
    ----------
    job : Job
        What is to be done.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._annotator = Annotator(job.language)
        self._images = ImageTable(job.images)
        self._ready = -1  # the last pass whose fitted filter is loaded

    def run(self, number: int, shard: int) -> int:
        """Run one batch through one pass, and return its number of comments.

        The batch's file is written last, so that a batch whose file exists is done.
        """
        rules, observer = self._job.passes[number]
        if number and self._ready != number:
            first = rules[0]
            assert isinstance(first, FittedFilter)
            first.load(self._job.fitted(number - 1))
            self._ready = number
        batch = self._first(shard) if number == 0 else self._next(number, shard)
        for rule in rules:
            apply(rule, batch)
        if observer is None:
            write_arrow(self._job.output(number, shard), self._last(batch))
        else:
            write_arrow(self._job.observed(number, shard), observe(observer, batch))
            write_arrow(self._job.output(number, shard), self._between(batch))
        return len(np.unique(batch.comments))

    def _first(self, shard: int) -> CommentBatch:
        """Load a batch of comments."""
        comments = tables.part("comments", self._job.comments, shard * out_of_core.SHARD, out_of_core.SHARD)
        rows = split_comments(comments, self._job.params.unit, self._annotator.tag)
        texts = rows.column("text").to_pylist()
        return CommentBatch(shard * out_of_core.SPAN, rows, self._annotator, self._images, texts, [""] * len(texts))

    def _next(self, number: int, shard: int) -> CommentBatch:
        """Load a batch as the pass before has left it."""
        table = read_arrow(self._job.output(number - 1, shard))
        own = [name for name in table.column_names if name.startswith("_")]
        known: dict[str, list[Any]] = {name: table.column(name).to_pylist() for name in own}
        batch = CommentBatch(
            shard * out_of_core.SPAN, table.drop_columns(own), self._annotator, self._images,
            known.pop(_TEXTS), known.pop(_REASONS),
        )  # fmt: skip
        if _NGRAMS in known:
            batch.set_ngrams(known.pop(_NGRAMS))
        batch.columns = {name.removeprefix(_ADDED): values for name, values in known.items()}
        return batch

    def _between(self, batch: CommentBatch) -> pa.Table:
        """Return all that the next pass must know of a batch."""
        kinds = {name: kind for rule in self._job.chain for name, kind in rule.adds.items()}
        columns = {_TEXTS: pa.array(batch.texts, pa.string()), _REASONS: pa.array(batch.reasons, pa.string())}
        if batch.has_ngrams:
            columns[_NGRAMS] = pa.array(batch.ngrams(), _STRINGS)
        columns |= {_ADDED + name: pa.array(values, kinds[name]) for name, values in batch.columns.items()}
        return _with(batch.rows, columns)

    def _last(self, batch: CommentBatch) -> pa.Table:
        """Return the rows of the captions table, and the columns that are counted on their way there."""
        counted = [name for rule in self._job.chain for name in rule.counted]
        return _with(_captions(batch), {name: pa.array(batch.column(name), pa.bool_()) for name in counted})


def _captions(batch: CommentBatch) -> pa.Table:
    columns = {
        "cleaned": pa.array(batch.texts, pa.string()),
        "tokens": pa.array(batch.tokens(), _STRINGS),
        "ngrams": pa.array(batch.ngrams(), _STRINGS),
        "form": pa.array(batch.column("form"), pa.string()),
        "score": pa.array(batch.column("score", missing=0.0), pa.float64()),
        "kept": pa.array([not reason for reason in batch.reasons], pa.bool_()),
        "reason": pa.array(batch.reasons, pa.string()),
    }
    return _with(batch.rows, columns)


def _with(table: pa.Table, columns: dict[str, pa.Array]) -> pa.Table:
    for name, values in columns.items():
        table = table.append_column(name, values)
    return table.combine_chunks()


class WorkerPool:
    """Processes that run passes over batches; used as a context manager.

    With one core, or few batches, all is done in this process.

    Parameters
    ----------
    job : Job
        What is to be done.
    size : int
        Processes.
    """

    def __init__(self, job: Job, size: int) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._alone: Worker | None = None
        if size > 1:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(size, mp_context=spawn, initializer=_start, initargs=(job,))
        else:
            self._alone = Worker(job)

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def run(self, number: int, shards: list[int]) -> Iterator[int]:
        """Run a pass over batches, and yield each one's number of comments as it is done.

        Raises
        ------
        PhotocriticError
            A worker process was killed.
        """
        if self._alone is not None:
            for shard in shards:
                yield self._alone.run(number, shard)
        elif self._pool is not None:
            try:
                for done in as_completed([self._pool.submit(_run, number, shard) for shard in shards]):
                    yield done.result()
            except BrokenProcessPool:
                raise PhotocriticError(
                    "a filter process was killed, perhaps for want of memory; run again to go on from the last batch"
                ) from None


_worker: Worker | None = None  # of this process, where it is one of a pool


def _start(job: Job) -> None:
    """Prepare a worker process; it ends with its parent, however that ends."""
    global _worker  # noqa: PLW0603 - a process has one worker
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_parent() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    _worker = Worker(job)


def _run(number: int, shard: int) -> int:
    assert _worker is not None
    return _worker.run(number, shard)
