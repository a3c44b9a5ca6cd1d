"""One run at a time in a folder; a lock that holds as long as anything that its owner has started still runs."""

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from photocritic.core.errors import PhotocriticError
from photocritic.core.files import writable

HELD = "PHOTOCRITIC_LOCKED"  # names the folder that an ancestor of this process has to itself
_PLACE = Path(".dvc/tmp/photocritic.lock")

logger = logging.getLogger(__name__)


@contextmanager
def alone(folder: Path = Path(), wait: bool = False) -> Iterator[int]:
    """Lock a project's folder for one run.

    The lock is the open file's (flock(2)), so a process that gets it among its own open files holds it too: should the
    owner be killed, nobody else comes in before what it has started is over. What is started meanwhile finds the
    folder in its environment.

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
    before = os.environ.get(HELD)
    with hold(folder / _PLACE, f"another run is at work in {folder.absolute()}", wait) as descriptor:
        os.environ[HELD] = str(folder.resolve())
        try:
            yield descriptor
        finally:
            os.environ.pop(HELD, None)
            if before is not None:
                os.environ[HELD] = before


@contextmanager
def beside_others(folder: Path = Path()) -> Iterator[None]:
    """Lock a project's folder for one stage of a run: beside other stages, but never beside another run.

    Raises
    ------
    PhotocriticError
        A run that has not started this process has the folder to itself.
    """
    if os.environ.get(HELD) == str(folder.resolve()):
        yield
        return
    with hold(folder / _PLACE, f"another run is at work in {folder.absolute()}", shared=True):
        yield


@contextmanager
def hold(path: Path, what: str, wait: bool = False, shared: bool = False, removed: bool = False) -> Iterator[int]:
    """Hold a lock file.

    Parameters
    ----------
    path : Path
        The file.
    what : str
        What to say where another process holds it.
    wait : bool
        Wait for the other process, rather than refuse.
    shared : bool
        Whether others may hold it as well that share it.
    removed : bool
        Whether the file is gone in the end.

    Yields
    ------
    int
        The lock's file descriptor.

    Raises
    ------
    PhotocriticError
        Another process holds it, and `wait` is not wanted; or the file cannot be written.
    """
    stream = _acquire(path, what, wait, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    with stream:
        with writable(path):  # past the stream, which would try again when it is closed
            os.ftruncate(stream.fileno(), 0)
            os.write(stream.fileno(), str(os.getpid()).encode())
        try:
            yield stream.fileno()
        finally:
            if removed:
                path.unlink(missing_ok=True)


def _acquire(path: Path, what: str, wait: bool, kind: int) -> TextIO:
    while True:
        with writable(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            stream = path.open("a+", encoding="utf-8")
        try:
            _lock(stream, what, wait, kind)
            if path.exists() and os.path.samestat(path.stat(), os.fstat(stream.fileno())):
                return stream  # else its holder has removed it meanwhile, and others hold another file of its name
        except BaseException:
            stream.close()
            raise
        stream.close()


def _lock(stream: TextIO, what: str, wait: bool, kind: int) -> None:
    try:
        fcntl.flock(stream, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.seek(0)
        message = f"{what} (process {stream.read().strip() or 'unknown'})"
        if not wait:
            raise PhotocriticError(f"{message}: wait for it to end, or stop it") from None
        logger.info("%s: waiting for it to end", message)
        fcntl.flock(stream, kind)
