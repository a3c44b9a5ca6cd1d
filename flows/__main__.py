"""`make flow`: the pipeline as a flow in this folder, beside a Prefect server that lives as long as it does.

Prefect would start such a server too, but only once it is wanted, and import it here as well; this one starts while the
flow is imported, which takes as long.
"""

import flows.environment  # noqa: F401, I001 - before Prefect

import atexit
import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress

from flows import access

HOST = "127.0.0.1"
PATIENCE = 180.0  # seconds until the server must answer; a busy machine takes its time
GRACE = 10.0  # seconds between asking it to end and ending it


def main() -> int:
    """Run the flow, with the server that PREFECT_API_URL names or one of its own; give the exit status."""
    own = None
    if not os.environ.get("PREFECT_API_URL"):
        own = _start()
        atexit.register(_end, own)  # before Prefect is imported, so after it has sent the last of its log
    from flows.pipeline import main as run

    if own is not None and not _comes_up(own, f"{os.environ['PREFECT_API_URL']}/health"):
        sys.stderr.write("photocritic: Prefect's server has not come up\n")
        return 1
    return run()


def _start() -> "subprocess.Popen[bytes]":
    """Start a server without pages on a free port of loopback, to which this process alone has access."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    client = access.create(f"http://{HOST}:{port}/api")
    os.environ.update(client)
    return subprocess.Popen(
        [sys.executable, *access.command(HOST, port, "--log-level", "error")],
        env=os.environ | access.required(client) | {"PREFECT_UI_ENABLED": "0", "PREFECT__SERVER_EPHEMERAL": "1"},
        start_new_session=True,  # Ctrl-C is for the flow, which still tells it how it has ended
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    process.kill()


def _comes_up(process: "subprocess.Popen[bytes]", address: str) -> bool:
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        with suppress(OSError), urllib.request.urlopen(address, timeout=5.0) as answer:  # noqa: S310 - http, on loopback
            if answer.status == 200:
                return True
        time.sleep(0.1)
    return False


if __name__ == "__main__":
    sys.exit(main())
