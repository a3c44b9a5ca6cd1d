"""The audit says clean only where every package was looked up in a list that is one; pip-audit asks a server here."""

import json
import logging
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from tools import audit

ADVISORIES = {"django": "CVE-2019-19844", "broken": "PYSEC-2026-1"}
HASH = f"--hash=sha256:{'0' * 64}"


class Answers(BaseHTTPRequestHandler):
    """Answers as the OSV service does; below /empty it knows nothing, below /error it fails."""

    def do_POST(self) -> None:
        package = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["package"]
        found: dict[str, Any] = {}
        if self.path == "/whole" and package["name"] in ADVISORIES:
            ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "9.1"}]}]
            found = {
                "vulns": [{"id": ADVISORIES[package["name"]], "affected": [{"package": package, "ranges": ranges}]}]
            }
        body = json.dumps(found).encode()
        self.send_response(503 if self.path == "/error" else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def run(service, tmp_path, monkeypatch, caplog):
    """Return a function that audits pins by a list, and gives the exit status and what was logged."""
    monkeypatch.setenv("PIP_AUDIT_VULNERABILITY_SERVICE", "osv")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    caplog.set_level(logging.INFO)

    def found(where: str, *pins: str) -> tuple[int, list[str]]:
        monkeypatch.setenv("PIP_AUDIT_OSV_URL", f"{service}/{where}" if "://" not in where else where)
        lock = tmp_path / "requirements.lock"
        lock.write_text("".join(f"{pin} \\\n    {HASH}\n" for pin in pins))
        return audit.main((lock,)), caplog.messages

    return found


def test_packages_without_advisories_are_clean(run):
    other = "older==1.0 ; python_version < '3'"
    status, messages = run("whole", "sound==1.0", "whole==2.0", other)
    assert status == 0
    assert messages == [
        "audit: 0 known vulnerabilities in the 2 packages that were audited; 1 pins are of other Pythons or machines"
    ]


def test_findings_are_named(run):
    status, messages = run("whole", "sound==1.0", "broken==9.0")
    assert status == 1
    assert messages[0] == "broken 9.0: PYSEC-2026-1 (fixed in: 9.1)"


@pytest.mark.parametrize("where", ["empty", "error", "http://127.0.0.1:9/"])
def test_without_a_list_nothing_is_called_clean(run, where):
    status, [message] = run(where, "sound==1.0", "broken==9.0")
    assert status == 2
    assert message.startswith("audit: no list of vulnerabilities could be had (")
    assert message.endswith(": none of 2 packages was audited")
    assert "\n" not in message


KNOWN = {"name": "a", "version": "1", "vulns": []}
SKIPPED = {"name": "b", "skip_reason": "Dependency not found on PyPI and could not be audited: b (1)"}
BAD = {"name": "c", "version": "1", "vulns": [{"id": "X-1", "fix_versions": []}]}


@pytest.mark.parametrize(
    ("packages", "status", "line"),
    [
        ([KNOWN], 0, "audit: 0 known vulnerabilities in the 1 packages that were audited"),
        ([KNOWN, SKIPPED], 2, "audit: 1 of 2 packages are not in the list and were not audited: b"),
        ([SKIPPED] * 6, 2, "audit: 6 of 6 packages are not in the list and were not audited: b, b, b, b, b, ..."),
        ([BAD, SKIPPED], 1, "c 1: X-1 (fixed in: none yet)"),
        ([], 2, "audit: 0 known vulnerabilities in the 0 packages that were audited"),
    ],
)
def test_what_was_not_looked_up_is_not_clean(caplog, packages, status, line):
    caplog.set_level(logging.INFO)
    assert audit.judge(packages, len(packages)) == status
    assert line in caplog.messages


def test_the_locks_of_the_project_are_audited(root):
    assert {path.relative_to(root).as_posix() for path in audit.LOCKS} == {"requirements.lock", "requirements-uv.lock"}
