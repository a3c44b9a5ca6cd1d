"""ASGI's parts by name, and the one form of a refusal: JSON with `error_code` and `message`."""

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from fastapi import Response

from photocritic.core.errors import PhotocriticError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

_CODES = {
    400: "INVALID_PARAMETER_VALUE",
    403: "PERMISSION_DENIED",
    404: "ENDPOINT_NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    408: "REQUEST_TIMEOUT",
    413: "REQUEST_TOO_LARGE",
    415: "UNSUPPORTED_MEDIA_TYPE",
    500: "INTERNAL_ERROR",
    503: "TEMPORARILY_UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
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


def response(refusal: Refusal, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response that a refusal is."""
    added = dict(headers or {})
    if refusal.status in _UNREAD:
        added["connection"] = "close"
    if refusal.status == 503:
        added["retry-after"] = "5"
    content = json.dumps({"error_code": _CODES[refusal.status], "message": str(refusal)})
    return Response(content, refusal.status, added, "application/json")
