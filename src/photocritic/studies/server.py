"""Serve a study's page from this machine."""

import logging
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from photocritic.core.errors import PhotocriticError
from photocritic.studies.session import Sessions

if TYPE_CHECKING:
    import uvicorn

log = logging.getLogger(__name__)
GRACE = 5  # seconds that requests at work have to end in


def serve(path: Path, host: str = "127.0.0.1", port: int = 8700) -> None:
    """Serve a study until it is interrupted or terminated; all answers stand in its one file then.

    Parameters
    ----------
    path : Path
        The study's file.
    host : str
        Address to listen on; raters on other machines need one that they can reach.
    port : int
        0 takes a free one; the address is written to the standard output.

    Raises
    ------
    PhotocriticError
        The file is not a study, or the address cannot be had.
    """
    with Sessions(path) as sessions, _listen(host, port) as listener:
        import uvicorn

        from photocritic.studies.web import guarded
        from photocritic.web import LimitedProtocol

        port = listener.getsockname()[1]
        config = uvicorn.Config(
            guarded(sessions, port),
            http=LimitedProtocol,
            ws="none",
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
        server = uvicorn.Server(config)
        sys.stdout.write(f"{path}: {address(host, port)} (Ctrl-C ends; every answer is kept)\n")
        sys.stdout.flush()
        with _ended_in_order(server):
            server.run(sockets=[listener])
        log.info("%s: ended", path)


def address(host: str, port: int) -> str:
    """Return where the page of a study is found."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


@contextmanager
def _ended_in_order(server: "uvicorn.Server") -> Iterator[None]:
    """Let every signal that asks for an end lead there in good order: uvicorn ends, then sends it to us again."""

    def end(*_: object) -> None:
        server.should_exit = True

    before = {sort: signal.signal(sort, end) for sort in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for sort, handler in before.items():
            signal.signal(sort, handler)


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        raise PhotocriticError(
            f"{host}:{port} cannot be listened on ({error}); choose another --port or --host"
        ) from None
