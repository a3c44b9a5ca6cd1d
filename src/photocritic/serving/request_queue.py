"""The order in which requests reach the model: one at a time, small ones before large ones that came just before."""

import asyncio
import base64
import binascii
import heapq
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from photocritic.core import limits
from photocritic.core.errors import UnreadableImage
from photocritic.images.decoding import measure
from photocritic.images.formats import PLAIN

_PIXELS = 1_000_000  # that put a request as far back as if it had come a second later
_HEAD = 96 << 10  # characters of base64 in which the header of an image is looked for


class RequestQueue:
    """A priority queue of requests, ordered by arrival time plus weight, so that none waits for ever."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, asyncio.Event]] = []
        self._numbers = itertools.count()
        self._busy = False

    @asynccontextmanager
    async def turn(self, weight: float) -> AsyncIterator[None]:
        """Wait until no request before this one is left, and keep the others waiting until the block ends.

        Parameters
        ----------
        weight : float
            Seconds by which a request may be overtaken.
        """
        if self._busy:
            entry = (asyncio.get_running_loop().time() + weight, next(self._numbers), asyncio.Event())
            heapq.heappush(self._waiting, entry)
            try:
                await entry[2].wait()
            except asyncio.CancelledError:
                if entry in self._waiting:
                    self._waiting.remove(entry)
                    heapq.heapify(self._waiting)
                else:
                    self._release()
                raise
        self._busy = True
        try:
            yield
        finally:
            self._release()

    def _release(self) -> None:
        if self._waiting:
            heapq.heappop(self._waiting)[2].set()
        else:
            self._busy = False


def weight(texts: Sequence[str]) -> float:
    """Return by how many seconds a request with these photographs may be overtaken.

    Parameters
    ----------
    texts : sequence of str
        Image files in base64; one whose size its first bytes do not tell weighs as much as any may.
    """
    return sum(_pixels(text) for text in texts) / _PIXELS


def _pixels(text: str) -> int:
    head = text[: _HEAD * 2].replace("\n", "").replace("\r", "")[:_HEAD]
    try:
        return measure(base64.b64decode(head[: len(head) // 4 * 4]), PLAIN).pixels
    except (binascii.Error, UnreadableImage):
        return limits.REQUEST_PIXELS
