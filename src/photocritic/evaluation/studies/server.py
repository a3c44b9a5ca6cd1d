"""Serve a study's page from this machine."""

import logging
import socket
import sys
from pathlib import Path

from photocritic.errors import PhotocriticError
from photocritic.evaluation.studies.session import Sessions

log = logging.getLogger(__name__)


def serve(path: Path, host: str = "127.0.0.1", port: int = 8700) -> None:
    """Serve a study until it is interrupted.

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

        from photocritic.evaluation.studies.web import application

        port = listener.getsockname()[1]
        app = application(sessions, port)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, server_header=False))
        shown = f"[{host}]" if ":" in host else host
        sys.stdout.write(f"{path}: http://{shown}:{port}/ (Ctrl-C ends; every answer is kept)\n")
        sys.stdout.flush()
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:  # raised again by uvicorn after it has ended in good order
            log.info("%s: ended", path)


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        raise PhotocriticError(
            f"{host}:{port} cannot be listened on ({error}); choose another --port or --host"
        ) from None
