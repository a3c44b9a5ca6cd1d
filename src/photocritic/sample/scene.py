"""Scenes: a photograph, its true attributes, and what people wrote under it."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

from photocritic.sample.photograph import photograph
from photocritic.sample.scene_plan import plan
from photocritic.sample.text.comments import Comment, comments

_BLOCK = 100  # scenes rendered ahead, on all cores; of fewer, one process is done sooner than others have started


@dataclass(frozen=True)
class Scene:
    """One photograph of the sample.

    Attributes
    ----------
    image_id : str
        Its name.
    image : bytes
        A JPEG of 160 x 160 pixels.
    labels : tuple of str
        The true attributes as `group:name`, one of every group of `ATTRIBUTES`.
    comments : tuple of Comment
        What people wrote.
    """

    image_id: str
    image: bytes
    labels: tuple[str, ...]
    comments: tuple[Comment, ...]


def generate(count: int = 600, seed: int = 7) -> Iterator[Scene]:
    """Render scenes; each depends on the seed and its own number only, never on `count`.

    Parameters
    ----------
    count : int
        Number of scenes.
    seed : int
        Another seed gives another sample.

    Yields
    ------
    Scene
        Scenes in order.
    """
    if count < 2 * _BLOCK:
        yield from (_scene(seed, index) for index in range(count))
        return
    workers = os.cpu_count() or 1
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        _start(pool, workers)
        previous: Iterator[Scene] = iter(())
        try:
            for start in range(0, count, _BLOCK):
                block = pool.map(partial(_scene, seed), range(start, min(start + _BLOCK, count)), chunksize=10)
                yield from previous  # the cores work on the next block already
                previous = block
            yield from previous
        finally:
            pool.shutdown(cancel_futures=True)  # whoever stops listening waits for no block


def _start(pool: ProcessPoolExecutor, workers: int) -> None:
    """Start a pool's processes without being interrupted: one that is half started would complain.

    They keep the signal blocked, as it is for the pool to end them.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        for _ in range(workers):
            pool.submit(int)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _scene(seed: int, index: int) -> Scene:
    decided = plan(seed, index)
    image_id = f"scene-{index:05d}"
    return Scene(
        image_id=image_id,
        image=photograph(decided, seed, index),
        labels=decided.labels,
        comments=comments(decided, image_id, seed, index),
    )
