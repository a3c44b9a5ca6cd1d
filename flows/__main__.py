"""`make flow`: the pipeline as a flow in this folder, beside a Prefect server that lives as long as it does.

Prefect would start such a server too, but only once it is wanted, and import it here as well; this one starts while the
flow is imported, which takes as long.
"""

import atexit
import os
import socket
import subprocess
import sys

from flows import access, process
from photocritic.core.errors import PhotocriticError

HOST = "127.0.0.1"


def main() -> int:
    """Run the flow, with the server that PREFECT_API_URL names or one of its own; return the exit status."""
    server = None
    if not os.environ.get("PREFECT_API_URL"):
        server = _start()
        atexit.register(process.end, server)  # before Prefect is imported, so after it has sent the last of its log
    from flows.pipeline import main as run

    try:
        if server is not None:
            _wait(server)
    except PhotocriticError as error:
        sys.stderr.write(f"photocritic: {error}\n")
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
        start_new_session=True,  # Ctrl-C is for the flow, which still reports to it how it has ended
    )


def _wait(server: "subprocess.Popen[bytes]") -> None:
    health = f"{os.environ['PREFECT_API_URL']}/health"
    process.wait_until_serving(
        "Prefect's server", lambda: process.answers(health), lambda: server.poll() is None, "its output above"
    )


if __name__ == "__main__":
    sys.exit(main())
