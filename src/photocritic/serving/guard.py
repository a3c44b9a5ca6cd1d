"""What stands before MLflow's scoring server: bounded bodies, plain errors, and no request that makes it fail."""

import asyncio
import json
import logging
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import Any

from photocritic.serving.requests import Limits, Refusal, canonical, photographs

SERVER = "mlflow.pyfunc.scoring_server.app"  # the module that MLflow's command serves; it loads the model first
PATH = "/invocations"
_PATIENCE = 1 << 30  # bytes of a refused body that are read, and forgotten, so that the sender gets to hear why
_CODES = {400: "INVALID_PARAMETER_VALUE", 413: "REQUEST_TOO_LARGE", 415: "UNSUPPORTED_MEDIA_TYPE"}

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

logger = logging.getLogger(__name__)


class Guard:
    """ASGI middleware that lets only requests for captions through that the model can be asked.

    Parameters
    ----------
    app : App
        MLflow's.
    limits : Limits
        What one request may ask for.
    """

    def __init__(self, app: App, limits: Limits) -> None:
        self._app, self._limits = app, limits

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request as ASGI wants it."""
        if scope["type"] != "http" or scope["path"] != PATH or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._body(scope, receive)
            if body is not None:
                _check_kind(scope)
                asked = await asyncio.to_thread(lambda: canonical(photographs(body, self._limits)))
                await self._app(_as_json(scope, len(asked)), _replay(asked, receive), _Plain(send))
        except Refusal as refusal:
            await _refuse(refusal, send)

    async def _body(self, scope: Message, receive: Receive) -> bytes | None:
        """Read a body of bounded size; None where the sender has gone."""
        told = _header(scope, b"content-length")
        most = self._limits.max_body_bytes
        excess = Refusal(413, f"a body of more than {most:,} bytes: send fewer or smaller images a request")
        if told.isdigit() and int(told) > most and _header(scope, b"expect"):
            raise excess  # who asks before sending is spared the sending
        body, size, more = bytearray(), 0, True
        while more and size <= _PATIENCE:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            part, more = message.get("body", b""), message.get("more_body", False)
            size += len(part)
            if size <= most:
                body += part
            else:
                body.clear()
        if size > most:
            raise excess
        return bytes(body)


def serving() -> bool:
    """Tell whether this process is one that `mlflow models serve` has started."""
    return SERVER in sys.modules


def install(limits: Limits) -> None:
    """Stand before every app that is made in this process from now on.

    MLflow's command makes its app right after it has loaded the model, and has no place to name middleware: so it is
    the class of its app that is changed, in the process that serves and nowhere else.
    """
    from fastapi import FastAPI

    plain = FastAPI.__call__

    async def guarded(app: FastAPI, scope: Message, receive: Receive, send: Send) -> None:
        await Guard(partial(plain, app), limits)(scope, receive, send)

    FastAPI.__call__ = guarded  # type: ignore[method-assign,assignment]


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
                await _answer(self._start["status"], *_said(b"".join(self._parts)), self._send)


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
    kind, _, rest = _header(scope, b"content-type").partition(";")
    charset = rest.partition("charset=")[2].strip(' "') or "utf-8"
    if kind.strip() != "application/json":
        found = f"'{kind.strip()[:80]}'" if kind.strip() else "nothing"
        raise Refusal(415, f"the Content-Type must be application/json, images in it as base64; it says {found}")
    if charset not in {"utf-8", "utf8", "us-ascii"}:
        raise Refusal(415, f"the body must be UTF-8, not '{charset[:80]}'")
    if _header(scope, b"content-encoding") not in {"", "identity"}:
        raise Refusal(415, "a body with a Content-Encoding is not understood: send it as it is")


def _header(scope: Message, name: bytes) -> str:
    return next((value.decode("latin-1").strip().lower() for key, value in scope["headers"] if key == name), "")


def _as_json(scope: Message, size: int) -> Message:
    kept = [pair for pair in scope["headers"] if pair[0] not in {b"content-type", b"content-length"}]
    told = [(b"content-type", b"application/json"), (b"content-length", str(size).encode())]
    return {**scope, "headers": kept + told}


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give the body once, and then what else the sender does."""
    waiting = [body]

    async def again() -> Message:
        return {"type": "http.request", "body": waiting.pop()} if waiting else await receive()

    return again


async def _refuse(refusal: Refusal, send: Send) -> None:
    await _answer(refusal.status, _CODES[refusal.status], str(refusal), send)


async def _answer(status: int, code: str, reason: str, send: Send) -> None:
    body = json.dumps({"error_code": code, "message": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
