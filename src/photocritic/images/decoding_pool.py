"""Images decoded by worker processes with limits, several at a time, in the order in which they come."""

import atexit
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Generic, TypeVar

from photocritic.core.errors import UnreadableImage
from photocritic.core.limits import BATCH_BYTES, IMAGE_BYTES, IMAGE_SECONDS, MIB, WORKER_BYTES
from photocritic.images.worker_main import Answer, Task
from photocritic.images.worker_process import WorkerLost, WorkerProcess, read

Item = TypeVar("Item")

_MESSAGE_IMAGES = (
    16  # images that one message to a worker has at most, so that small ones cost little more than decoding
)
_MESSAGE_BYTES = MIB
_QUEUED = 4  # messages a worker, read but not yet passed on
_WAITING = 4_096  # items of any kind that may wait behind an image that is still being decoded


@dataclass(frozen=True, slots=True)
class Decoded(Generic[Item]):
    """An item that came, and what became of its image.

    Attributes
    ----------
    item : object
        As it came.
    data : bytes
        The image's file as it was read; empty where it could not be read.
    answer : Header, Inspection, Pixels, UnreadableImage or None
        What its task asked for, or why not; None where it has no image.
    """

    item: Item
    data: bytes = b""
    answer: Answer | UnreadableImage | None = None


Result = tuple[bytes, Answer | UnreadableImage]


@dataclass(eq=False, slots=True)
class _Pending:
    image: bytes | Path
    task: Task
    size: int
    future: Future[Result] = field(default_factory=Future)


class WorkerPool:
    """Processes that decode images, each of which can crash, run out of memory or out of time at the cost of one image.

    Parameters
    ----------
    workers : int, optional
        Processes; by default one a core. They start when they are needed.
    memory, seconds : int
        Bytes, and seconds of processor time, that one image may take.
    """

    def __init__(self, workers: int | None = None, memory: int = WORKER_BYTES, seconds: int = IMAGE_SECONDS) -> None:
        self._count = workers or _cores()
        self._limits = memory, seconds
        self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="images")
        self._idle: LifoQueue[WorkerProcess] = LifoQueue()

    def close(self) -> None:
        """End the processes; what has not been decoded is given up."""
        self._threads.shutdown(cancel_futures=True)
        while not self._idle.empty():
            self._idle.get().close()

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def map(
        self, items: Iterable[Item], image_of: Callable[[Item], bytes | Path | None], task: Task
    ) -> Iterator[Decoded[Item]]:
        """Decode the images of some items, and pass the rest on.

        Parameters
        ----------
        items : iterable
            Read as far ahead as the workers can use, and a bounded number of bytes.
        image_of : callable
            Returns an item's image, as bytes or as the path of its file; None where it has none.
        task : Task
            What to do with each.

        Yields
        ------
        Decoded
            In the order of `items`.
        """
        window: deque[tuple[Item, _Pending | None]] = deque()
        message: list[_Pending] = []
        images = weight = 0
        for item in items:
            image = image_of(item)
            pending = None if image is None else _Pending(image, task, _weight(image))
            window.append((item, pending))
            if pending is not None:
                images, weight = images + 1, weight + pending.size
                self._add(pending, message)
            while window and (
                images > _QUEUED * _MESSAGE_IMAGES * self._count
                or weight > BATCH_BYTES
                or len(window) > _WAITING
                or _is_ready(window[0][1])
            ):
                first, head = window.popleft()
                if head is not None:
                    images, weight = images - 1, weight - head.size
                if head in message:
                    self._submit(message)
                yield _decoded(first, head)
        self._submit(message)
        while window:
            yield _decoded(*window.popleft())

    def _add(self, pending: _Pending, message: list[_Pending]) -> None:
        """Add an image to the next message, and send the message when it is large enough."""
        message.append(pending)
        if len(message) == _MESSAGE_IMAGES or sum(one.size for one in message) >= _MESSAGE_BYTES:
            self._submit(message)

    def _submit(self, message: list[_Pending]) -> None:
        if message:
            self._threads.submit(self._decode, message.copy())
            message.clear()

    def _decode(self, message: list[_Pending]) -> None:
        try:
            self._decode_all(message)
        except BaseException as error:  # for whoever waits for it
            for pending in message:
                if not pending.future.done():
                    pending.future.set_exception(error)

    def _decode_all(self, message: list[_Pending]) -> None:
        rest: deque[tuple[_Pending, bytes]] = deque()
        for pending in message:
            try:
                rest.append((pending, read(pending.image)))
            except UnreadableImage as error:
                pending.future.set_result((b"", error))
        while rest:
            worker = self._worker()
            try:
                for answer in worker.decode([(pending.task, data) for pending, data in rest]):
                    pending, data = rest.popleft()
                    pending.future.set_result((data, answer))
                self._idle.put(worker)
            except WorkerLost as lost:
                if not lost.retry:  # else it is tried again, in a new process
                    pending, data = rest.popleft()
                    pending.future.set_result((data, UnreadableImage(f"unreadable image: {lost}")))

    def _worker(self) -> WorkerProcess:
        try:
            return self._idle.get_nowait()
        except Empty:
            return WorkerProcess(*self._limits)


@cache
def shared() -> WorkerPool:
    """Return the pool of this process, which ends with it."""
    pool = WorkerPool()
    atexit.register(pool.close)
    return pool


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=shared.cache_clear)  # a child has neither its threads nor its processes


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _weight(image: bytes | Path) -> int:
    """Estimate the bytes that an image will take while it waits."""
    if isinstance(image, bytes):
        return len(image)
    try:
        return min(image.stat().st_size, IMAGE_BYTES)
    except (OSError, ValueError):
        return 0


def _is_ready(head: _Pending | None) -> bool:
    return head is None or head.future.done()


def _decoded(item: Item, head: _Pending | None) -> Decoded[Item]:
    return Decoded(item) if head is None else Decoded(item, *head.future.result())
