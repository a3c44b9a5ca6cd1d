"""Uvicorn's HTTP protocol with a guard in it, by which any ASGI server gets one: `uvicorn --http photocritic.web:...`.

An application has no say in connections that send no request, and the servers of other projects leave no place for
middleware; the protocol is the place that all of them have.
"""

import asyncio
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

from photocritic.core import limits
from photocritic.web.hosts import OwnOrigin


class GuardedProtocol(H11Protocol):
    """Takes requests for this server's own host and origin only, those for WebSockets too."""

    def __init__(self, config: Config, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        if not isinstance(config.loaded_app, OwnOrigin):
            config.loaded_app = OwnOrigin(cast("Any", config.loaded_app))  # where WebSockets find it as well
        self.app = cast("Any", config.loaded_app)


class LimitedProtocol(GuardedProtocol):
    """Bounds connections besides: their number, and the time until a request's headers have come.

    Where there are as many as may be, the one that has waited longest without a request at work is closed, so that
    connections that are held open for nothing shut nobody out.
    """

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or close it where all that are open have a request at work."""
        super().connection_made(transport)
        if len(self.connections) > limits.CONNECTIONS:
            waiting = [one for one in self.connections if isinstance(one, LimitedProtocol) and one._deadline]
            (min(waiting, key=_due) if waiting else self)._close()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read bytes as they come."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection that is over."""
        self._disarm()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Limit the time of a connection without a request at work; more bytes do not extend it."""
        waits = self.cycle is None or self.cycle.response_complete
        if not waits or self.transport.is_closing():
            self._disarm()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(limits.REQUEST_SECONDS, self._close)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close(self) -> None:
        self._disarm()
        self.transport.abort()


def _due(one: LimitedProtocol) -> float:
    return one._deadline.when() if one._deadline else 0.0
