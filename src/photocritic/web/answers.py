"""ASGI's parts by name, and the one form of a refusal: JSON with `error_code` and `message`."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from photocritic.core.errors import PhotocriticError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

_CODES = {
    400: "INVALID_PARAMETER_VALUE",
    403: "PERMISSION_DENIED",
    408: "REQUEST_TIMEOUT",
    413: "REQUEST_TOO_LARGE",
    415: "UNSUPPORTED_MEDIA_TYPE",
    503: "TEMPORARILY_UNAVAILABLE",
}
_UNREAD = frozenset({408, 413, 503})  # answers to a body that may still be coming: the connection ends with them


class Refusal(PhotocriticError):
    """A request that is not answered.

    Parameters
    ----------
    status : int
        HTTP's status, from 400 on.
    reason : str
        What is wrong, and what to do.
    """

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def header(scope: Message, name: bytes) -> str:
    """Return the first header of a name, in lower case; empty where there is none."""
    return next((value.decode("latin-1").strip().lower() for key, value in scope["headers"] if key == name), "")


async def refuse(refusal: Refusal, send: Send) -> None:
    """Answer with a refusal."""
    await answer(refusal.status, _CODES[refusal.status], str(refusal), send)


async def answer(status: int, code: str, reason: str, send: Send) -> None:
    """Answer with an error."""
    body = json.dumps({"error_code": code, "message": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status in _UNREAD:
        headers.append((b"connection", b"close"))
    if status == 503:
        headers.append((b"retry-after", b"5"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
