"""Serve one application by uvicorn, on a socket of its own and with the limits on connections."""

import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from photocritic.core.errors import PhotocriticError
from photocritic.web.answers import App
from photocritic.web.protocol import LimitedProtocol

GRACE = 5  # seconds that requests at work have to end in


def serve(
    build: Callable[[int], App], host: str, port: int, announce: Callable[[str], str], *, log: bool = False
) -> None:
    """Serve an application until it is interrupted or terminated.

    Parameters
    ----------
    build : callable
        Takes the port and returns the application.
    host : str
        Address to listen on.
    port : int
        0 takes a free one.
    announce : callable
        Takes the address and returns the line that is written to the standard output before the first request.
    log : bool
        Write a line for each request.

    Raises
    ------
    PhotocriticError
        The address cannot be had.
    """
    with _listen(host, port) as listener:
        port = listener.getsockname()[1]
        config = uvicorn.Config(
            build(port),
            http=LimitedProtocol,
            ws="none",
            log_level="info" if log else "warning",
            access_log=log,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
        server = uvicorn.Server(config)
        sys.stdout.write(announce(f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/") + "\n")
        sys.stdout.flush()
        with _ended_in_order(server):
            server.run(sockets=[listener])


@contextmanager
def _ended_in_order(server: uvicorn.Server) -> Iterator[None]:
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
