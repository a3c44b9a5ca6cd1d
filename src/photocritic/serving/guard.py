"""What stands before MLflow's scoring server: own origin, bounded bodies, plain errors, and a turn for each request."""

import asyncio
import json
import logging
import sys
from typing import Any

from photocritic.core import limits
from photocritic.serving.requests import Limits, canonical, photographs
from photocritic.serving.turns import Turns, weight
from photocritic.web import (
    App,
    Bodies,
    LimitedProtocol,
    Message,
    Receive,
    Refusal,
    Send,
    answer,
    header,
    refuse,
    replay,
)

SERVER = "mlflow.pyfunc.scoring_server.app"  # the module that MLflow's command serves; it loads the model first
PATH = "/invocations"
logger = logging.getLogger(__name__)


class Guard:
    """ASGI middleware that lets only requests for captions through that the model can be asked.

    Parameters
    ----------
    app : App
        MLflow's.
    most : Limits
        What one request may ask for.
    """

    def __init__(self, app: App, most: Limits) -> None:
        self._app, self._most = app, most
        together = max(limits.BODIES_BYTES, 2 * most.max_body_bytes)
        self._bodies = Bodies(most.max_body_bytes, together, hint="send fewer or smaller images a request")
        self._turns = Turns()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request as ASGI wants it."""
        if scope["type"] != "http" or scope["path"] != PATH or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            async with self._bodies.read(scope, receive) as body:
                if body is not None:
                    _check_kind(scope)
                    asked, weighs = await asyncio.to_thread(self._understand, body)
                    async with self._turns.take(weighs):
                        await self._app(_as_json(scope, len(asked)), replay(asked, receive), _Plain(send))
        except Refusal as refusal:
            await refuse(refusal, send)

    def _understand(self, body: bytes) -> tuple[bytes, float]:
        texts = photographs(body, self._most)
        return canonical(texts), weight(texts)


def serving() -> bool:
    """Tell whether this process is one that `mlflow models serve` has started."""
    return SERVER in sys.modules


def install(most: Limits) -> None:
    """Guard the app that uvicorn serves in this process, and each of its connections.

    MLflow's command has no place to name middleware. But uvicorn, which it runs, has the app read, and the model with
    it, before it begins to listen.
    """
    from uvicorn import Server

    plain = Server.startup

    async def guarded(server: Server, *arguments: Any, **options: Any) -> None:
        app: Any = server.config.loaded_app
        server.config.loaded_app = Guard(app, most)
        server.config.http_protocol_class = LimitedProtocol
        await plain(server, *arguments, **options)

    Server.startup = guarded  # type: ignore[method-assign,assignment]


class _Plain:
    """A `send` that turns MLflow's errors into what was wrong alone: no traceback, no echo of the request."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._parts: list[bytes] = []

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] >= 400:
            self._start = message
        elif self._start is None:
            await self._send(message)
        elif message["type"] == "http.response.body":
            self._parts.append(message.get("body", b""))
            if not message.get("more_body", False):
                await answer(self._start["status"], *_said(b"".join(self._parts)), self._send)


def _said(body: bytes) -> tuple[str, str]:
    """Give the code and the reason in an error of MLflow's; a traceback goes to the log."""
    text = body.decode("utf-8", "replace").strip()
    try:
        told = json.loads(text)
        code, reason = str(told["error_code"]), str(told["message"])
    except (ValueError, KeyError, TypeError):
        return "INTERNAL_ERROR", text
    if told.get("stack_trace"):
        logger.error("%s\n%s", reason, told["stack_trace"])
    return code, reason.rpartition("\nError: ")[2]


def _check_kind(scope: Message) -> None:
    kind, _, rest = header(scope, b"content-type").partition(";")
    charset = rest.partition("charset=")[2].strip(' "') or "utf-8"
    if kind.strip() != "application/json":
        found = f"'{kind.strip()[:80]}'" if kind.strip() else "nothing"
        raise Refusal(415, f"the Content-Type must be application/json, images in it as base64; it says {found}")
    if charset not in {"utf-8", "utf8", "us-ascii"}:
        raise Refusal(415, f"the body must be UTF-8, not '{charset[:80]}'")
    if header(scope, b"content-encoding") not in {"", "identity"}:
        raise Refusal(415, "a body with a Content-Encoding is not understood: send it as it is")


def _as_json(scope: Message, size: int) -> Message:
    kept = [pair for pair in scope["headers"] if pair[0] not in {b"content-type", b"content-length"}]
    told = [(b"content-type", b"application/json"), (b"content-length", str(size).encode())]
    return {**scope, "headers": kept + told}
