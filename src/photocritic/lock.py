"""One run at a time in a folder; a lock that holds as long as anything that its owner has started still runs."""

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from photocritic.errors import PhotocriticError

_PLACE = Path(".dvc/tmp/photocritic.lock")

logger = logging.getLogger(__name__)


@contextmanager
def alone(folder: Path = Path(), wait: bool = False) -> Iterator[int]:
    """Have a project's folder to oneself.

    The lock is the open file's (flock(2)), so a process that gets it among its own open files holds it too: should the
    owner be killed, nobody else comes in before what it has started is over.

    Parameters
    ----------
    folder : Path
        The project's root.
    wait : bool
        Wait for another run to leave the folder, rather than refuse.

    Yields
    ------
    int
        The lock's file descriptor, for the `pass_fds` of the processes that are started.

    Raises
    ------
    PhotocriticError
        Another run is at work there, and `wait` is not wanted.
    """
    path = folder / _PLACE
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            told = f"another run is at work in {folder.absolute()} (process {stream.read().strip() or 'unknown'})"
            if not wait:
                raise PhotocriticError(f"{told}: wait for it to end, or stop it") from None
            logger.info("%s: waiting for it to end", told)
            fcntl.flock(stream, fcntl.LOCK_EX)
        stream.truncate(0)
        stream.write(str(os.getpid()))
        stream.flush()
        yield stream.fileno()
