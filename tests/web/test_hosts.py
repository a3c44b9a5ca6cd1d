"""Whose requests are a server's own, by their headers alone."""

import asyncio

import pytest

from photocritic.web import OwnOrigin
from tests.origins import foreign

PLACE = "127.0.0.1:8700"


def status(method="POST", kind="http", names=("study.example.org",), **headers):
    """Give the status that a request is answered with; 200 where it reaches the application."""
    answers = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        answers.append(message)

    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "method": method, "path": "/", "headers": pairs}
    asyncio.run(OwnOrigin(app, names)(scope, None, send))
    return answers[0].get("status", answers[0].get("code"))


@pytest.mark.parametrize(
    "headers",
    [
        {"host": PLACE},
        {"host": PLACE, "origin": f"http://{PLACE}"},
        {"host": "LocalHost:8700", "origin": "http://localhost:8700"},
        {"host": "[::1]:8700", "origin": "http://[::1]:8700"},
        {"host": "192.168.1.5", "origin": "http://192.168.1.5", "sec_fetch_site": "same-origin"},
        {"host": "study.example.org", "origin": "https://study.example.org"},
    ],
)
def test_what_calls_a_server_by_its_own_name_is_let_through(headers):
    assert status(**headers) == 200


@pytest.mark.parametrize("kind", foreign(f"http://{PLACE}"))
def test_pages_of_other_origins_are_refused(kind):
    headers = {"host": PLACE} | {name.lower(): value for name, value in foreign(f"http://{PLACE}")[kind].items()}
    for method in ("POST", "GET", "OPTIONS", "DELETE"):
        assert status(method, **headers) == 403
    assert status(kind="websocket", **headers) == 1008


@pytest.mark.parametrize(
    "host", ["", "example.org", "2130706433", "0x7f.1", "127.0.0.1.", "localhost.", "[::1", "a b", "localhost:x", "é"]
)
def test_other_names_are_none(host):
    assert status(host=host) == 403
    assert status(host=host, names=()) == 403


def test_a_page_elsewhere_may_link_here_and_show_a_picture_but_change_nothing():
    assert status("GET", host=PLACE, sec_fetch_site="cross-site") == 200
    assert status("POST", host=PLACE, sec_fetch_site="same-site") == 403
    assert status("DELETE", host=PLACE, sec_fetch_site="cross-site") == 403


def test_two_headers_of_one_name_are_refused():
    async def nothing(*_):
        raise AssertionError("reached")

    sent = []

    async def send(message):
        sent.append(message)

    pairs = [(b"host", PLACE.encode()), (b"host", b"evil.example")]
    asyncio.run(OwnOrigin(nothing, ())({"type": "http", "method": "GET", "path": "/", "headers": pairs}, None, send))
    assert sent[0]["status"] == 403
