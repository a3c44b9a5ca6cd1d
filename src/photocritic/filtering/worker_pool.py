"""Worker processes, one a core, for batches of comments."""

import multiprocessing
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType

from photocritic.core.errors import PhotocriticError
from photocritic.filtering.passes import Job, Worker

_worker: Worker | None = None


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
        self._job = job
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


def cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0))


def _start(job: Job) -> None:
    """Get a worker process ready; it ends with its parent, however that ends."""
    global _worker  # noqa: PLW0603 - a process has one worker
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_end_with, args=(parent.join,), daemon=True).start()
    _worker = Worker(job)


def _end_with(wait: object) -> None:
    assert callable(wait)
    wait()
    os._exit(1)


def _run(number: int, shard: int) -> int:
    assert _worker is not None
    return _worker.run(number, shard)
