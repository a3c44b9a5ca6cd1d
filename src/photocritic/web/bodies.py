"""Bodies of requests: each of bounded size and read in bounded time, and all together of bounded memory."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from photocritic.core import limits
from photocritic.web.answers import App, Message, Receive, Refusal, Send, header, response

_FORGOTTEN = 1 << 30  # bytes of a refused body that are read, and not kept, so that the sender receives the reason
_SMALL = limits.MIB  # a body up to here may take the last quarter of the room too: large ones do not shut it out
_STALL = 2.0  # seconds without a byte after which a body gives way to others


@dataclass(eq=False)
class _Body:
    """A body that is coming, or whose request is at work."""

    deadline: asyncio.Timeout
    came: float  # when its last bytes came, by the loop's clock
    parts: list[bytes] = field(default_factory=list)
    size: int = 0
    whole: bool = False
    yields: bool = False


class Bodies:
    """The bodies of all requests at one server, from their first byte to their answer.

    Where they need more room than there is, one that has stalled gives way, or else the largest that is still coming.

    Parameters
    ----------
    each, together : int
        Bytes of one, and of all at once.
    seconds : float
        Time in which a body must have come.
    hint : str
        What to do about one that is too large.
    """

    def __init__(
        self, each: int, together: int, *, seconds: float = limits.REQUEST_SECONDS, hint: str = "send less at once"
    ) -> None:
        self._each, self._together, self._seconds, self._hint = each, together, seconds, hint
        self._held: set[_Body] = set()

    @asynccontextmanager
    async def read(self, scope: Message, receive: Receive) -> AsyncIterator[bytes | None]:
        """Read a request's body, and keep its room until the block ends.

        Yields
        ------
        bytes or None
            The body; None where the sender has gone.

        Raises
        ------
        Refusal
            The body is too large (413), does not come in time (408), or there is no room for it (503).
        """
        excess = Refusal(413, f"a body of more than {self._each:,} bytes: {self._hint}")
        length = header(scope, b"content-length")
        if length.isdigit() and int(length) > self._each and header(scope, b"expect"):
            raise excess  # who asks before sending need not send it
        loop = asyncio.get_running_loop()
        body: _Body | None = None
        try:
            async with asyncio.timeout(self._seconds) as deadline:
                body = _Body(deadline, loop.time())
                self._held.add(body)
                found = await self._collect(body, receive, excess)
            yield found
        except TimeoutError:
            if body is None or body.whole:
                raise  # the application's own
            if body.yields:
                raise self._no_room() from None
            raise Refusal(408, f"the body did not come within {self._seconds:g} seconds: send it again") from None
        finally:
            if body is not None:
                self._held.discard(body)

    async def _collect(self, body: _Body, receive: Receive, excess: Refusal) -> bytes | None:
        size, more = 0, True
        while more and size <= _FORGOTTEN:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            part, more = message.get("body", b""), message.get("more_body", False)
            size += len(part)
            body.came = asyncio.get_running_loop().time()
            if size > self._each:
                body.parts, body.size = [], 0
                continue
            self._make_room(body, len(part))
            body.parts.append(part)
            body.size = size
        if size > self._each:
            raise excess
        body.whole = True
        found, body.parts = b"".join(body.parts), []
        return found

    def _make_room(self, body: _Body, more: int) -> None:
        """Make other bodies give way until some more bytes fit in.

        Raises
        ------
        Refusal
            None does, or this one is the first to give way.
        """
        room = self._together if body.size + more <= _SMALL else self._together * 3 // 4
        while sum(one.size for one in self._held) + more > room:
            now = asyncio.get_running_loop().time()
            coming = [one for one in self._held if not one.whole and one.size]
            first = max(coming, key=lambda one: (now - one.came > _STALL, one.size), default=body)
            if first is body:
                raise self._no_room()
            first.yields = True
            first.parts = []
            self._held.discard(first)
            first.deadline.reschedule(now)

    def _no_room(self) -> Refusal:
        return Refusal(503, "too much is being sent at once: try again in some seconds")


class Bounded:
    """ASGI middleware that reads a request's body before the application sees the request.

    Parameters
    ----------
    app : App
        What is guarded.
    bodies : Bodies
        What bodies may be.
    """

    def __init__(self, app: App, bodies: Bodies) -> None:
        self._app, self._bodies = app, bodies

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request as ASGI wants it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with self._bodies.read(scope, receive) as body:
                if body is not None:
                    await self._app(scope, _replay(body, receive), send)
        except Refusal as refusal:
            await response(refusal)(scope, receive, send)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that returns a body once, and then what else the sender does."""
    waiting = [body]

    async def again() -> Message:
        return {"type": "http.request", "body": waiting.pop()} if waiting else await receive()

    return again
