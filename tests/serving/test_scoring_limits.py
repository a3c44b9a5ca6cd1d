"""The champion behind `photocritic serve`: what it bears of bodies, connections and pages of other origins."""

import socket
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest

from photocritic.core import limits
from tests.browser import browser
from tests.origins import attacked, evil_page, refused_for_others
from tests.serving.conftest import JSON
from tests.serving.payloads import blank, photograph, refused, rows

MEGABYTES = 50 * 10**6

pytestmark = pytest.mark.xdist_group("served")


@pytest.fixture(scope="module", autouse=True)
def patched():
    """Leave the networks as they are: another process reads them."""


def test_a_large_body_is_refused_without_being_held_in_memory(ask, server):
    bodies = [
        {"inputs": {"image": ["A" * MEGABYTES]}},
        b"\xff" * MEGABYTES,
        b"[{," * (MEGABYTES // 3),
    ]
    before = peak(server[1])
    for body in bodies:
        refused(ask(body), 413, "a body of more than 33,554,432 bytes")
        refused(ask(body, {"content-type": "text/plain"}), 413, "a body of more than 33,554,432 bytes")
    with httpx.Client(base_url=server[0]) as client:
        pieces = (b"0" * 10**5 for _ in range(MEGABYTES // 10**5))  # whose sum nobody knows beforehand
        refused(client.post("/invocations", content=pieces, headers=JSON), 413, "a body of more than")
    assert peak(server[1]) - before < 2 * MEGABYTES


def peak(process):
    """Give the most memory that a process has ever held, in bytes."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def test_who_asks_before_sending_a_large_body_is_answered_at_once(ask, server):
    place = httpx.URL(server[0])
    with socket.create_connection((place.host, place.port), timeout=60) as line:
        headers = f"Content-Type: application/json\r\nContent-Length: {MEGABYTES}\r\nExpect: 100-continue\r\n\r\n"
        line.sendall(f"POST /invocations HTTP/1.1\r\nHost: {place.host}\r\n{headers}".encode())
        assert line.recv(20).startswith(b"HTTP/1.1 413")


def test_only_this_origins_pages_are_answered(ask, server):
    refused_for_others(server[0], "POST", "/invocations", rows(photograph()))
    refused_for_others(server[0], "GET", "/version")


def test_a_page_of_another_origin_in_a_browser_is_answered_nothing(server, store, tmp_path):
    log = store / "server.log"
    with evil_page() as page, browser(tmp_path) as tab:
        before = log.read_text().count('POST /invocations HTTP/1.1" 200')
        seen = attacked(tab, page, f"{server[0]}/invocations", rows(photograph()))
    assert set(seen) <= {"unread", "TypeError"}
    assert log.read_text().count('POST /invocations HTTP/1.1" 200') == before
    assert log.read_text().count('POST /invocations HTTP/1.1" 403') > 3


def test_thirty_unfinished_bodies_hold_no_memory_and_let_others_be_answered(ask, server):
    """M17: 30 bodies that end nowhere were kept for ever, as many bytes as had come."""
    place, before = httpx.URL(server[0]), peak(server[1])
    headers = "Content-Type: application/json\r\nContent-Length: 30000000\r\n\r\n"
    with ExitStack() as lines, ThreadPoolExecutor(8) as pool:

        def begin(_):
            line = lines.enter_context(socket.create_connection((place.host, place.port), timeout=60))
            with suppress(OSError):  # it has had to give way
                line.sendall(f"POST /invocations HTTP/1.1\r\nHost: {place.host}\r\n{headers}".encode() + b" " * 10**7)

        list(pool.map(begin, range(30)))
        assert ask(rows(photograph())).status_code == 200
    assert peak(server[1]) - before < limits.BODIES_BYTES + 2 * MEGABYTES


def test_a_small_request_is_answered_before_large_ones_that_came_first(ask):
    """M17: a good request behind ten of 64 megapixels waited for all of them."""
    large, ended = rows(blank(7900)), []

    def post(name, body):
        assert ask(body).status_code == 200
        ended.append(name)

    with ThreadPoolExecutor(6) as pool:
        sent = [pool.submit(post, "large", large) for _ in range(5)]
        wait(sent, return_when=FIRST_COMPLETED)
        sent.append(pool.submit(post, "small", rows(photograph())))
        for one in sent:
            one.result()
    assert ended.index("small") < 4


def test_who_goes_away_amid_a_body_leaves_the_server_as_it_was(ask, server):
    place = httpx.URL(server[0])
    with socket.create_connection((place.host, place.port), timeout=60) as line:
        headers = "Content-Type: application/json\r\nContent-Length: 900\r\n\r\n"
        line.sendall(f"POST /invocations HTTP/1.1\r\nHost: {place.host}\r\n{headers}".encode() + b"{")
    with httpx.Client(base_url=server[0]) as client:
        assert client.get("/health").status_code == 200
        assert client.get("/version").status_code == 200
        assert client.get("/invocations").status_code == 405
        assert client.post("/elsewhere").status_code == 404


def test_nothing_of_it_all_was_an_error_of_the_servers(ask, store):
    assert "Traceback" not in (store / "server.log").read_text()
