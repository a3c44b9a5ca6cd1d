"""Whose requests a server takes: those that call it by its own name, and of browsers those of its own pages.

A browser sends requests for every page that it shows, with the cookies of the server asked. They differ in
what a page cannot change: `Host`, the name that the browser looked up, and `Origin` and `Sec-Fetch-*`, the page that
asks. A name that its owner lets point at this machine (DNS rebinding) is no address and not among the names allowed.
"""

import ipaddress
import os
import re
from collections.abc import Iterable

from photocritic.web.answers import App, Message, Receive, Refusal, Send, response

HOSTS = "PHOTOCRITIC_HOSTS"  # names that servers may be called by besides addresses and localhost, commas between
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?")
_READ = frozenset({"GET", "HEAD"})
_HEADERS = ((b"x-frame-options", b"SAMEORIGIN"), (b"x-content-type-options", b"nosniff"))


class OwnOrigin:
    """ASGI middleware that refuses requests under another host's name, and those of other origins' pages.

    Parameters
    ----------
    app : App
        What is guarded.
    names : iterable of str, optional
        Host names that the server may be called by besides IP addresses and localhost; by default those in the
        environment variable PHOTOCRITIC_HOSTS.
    """

    def __init__(self, app: App, names: Iterable[str] | None = None) -> None:
        given = os.environ.get(HOSTS, "").split(",") if names is None else names
        self._app = app
        self._names = frozenset(name.strip().lower() for name in given if name.strip())

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request as ASGI wants it."""
        problem = self._problem(scope) if scope["type"] in {"http", "websocket"} else ""
        if not problem:
            await self._app(scope, receive, _hardened(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await response(Refusal(403, problem))(scope, receive, send)

    def _problem(self, scope: Message) -> str:
        """Return why a request is not this server's own; empty where it is."""
        host = _only(scope, b"host")
        found = _HOST.fullmatch(host)
        if found is None or not (found[1] == "localhost" or found[1] in self._names or _is_address(found[1])):
            return f"this server is not called '{host[:80]}': use its address, or let {HOSTS} name it at its start"
        origin = _only(scope, b"origin")
        if origin and origin.removeprefix("http://").removeprefix("https://") != host:
            return "a page of another origin asks: only this server's own pages may"
        if _is_foreign(scope):
            return "a page of another site asks: only this server's own pages may"
        return ""


def _only(scope: Message, name: bytes) -> str:
    """Return the header of a name in lower case; two of them are none that anybody is called by."""
    return ", ".join(value.decode("latin-1").strip().lower() for key, value in scope["headers"] if key == name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _is_foreign(scope: Message) -> bool:
    """Return whether the browser says that another site's page wants to change something here."""
    return scope.get("method", "GET") not in _READ and _only(scope, b"sec-fetch-site") in {"cross-site", "same-site"}


def _hardened(send: Send) -> Send:
    """Add headers by which no other page shows the answer in a frame, where its visitors would click into it."""

    async def harden(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            given = {name.lower() for name, _ in headers}
            message = {**message, "headers": headers + [pair for pair in _HEADERS if pair[0] not in given]}
        await send(message)

    return harden
