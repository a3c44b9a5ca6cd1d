"""Processes that the flows start: run, waited for until they serve, and ended with all that they have started.

Each begins a session of its own, by which what it has started is found again when it is gone itself.
"""

import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import httpx
import psutil

from photocritic.core.errors import PhotocriticError
from photocritic.core.redaction import redacted

GRACE = 10.0  # seconds between asking processes to end and ending them
PATIENCE = 180.0  # seconds until a server must answer; a busy machine takes its time
LOOK = 0.2  # seconds between two looks at whether it does
TAIL = 30  # last lines that are kept

_running: set[subprocess.Popen[str]] = set()


def run(
    command: Sequence[str],
    on_line: Callable[[str], None],
    folder: Path,
    environment: Mapping[str, str],
    held: Sequence[int] = (),
) -> tuple[int, str]:
    """Run a command and hand on its output line by line, without the passwords in addresses.

    Whatever ends the caller before the command is done, such as a flow run that is cancelled, ends the command and all
    that it has started first.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.
    on_line : callable
        Gets each line of its output and its errors as it comes, without the line's end.
    folder : Path
        Where it runs.
    environment : mapping of str to str
        Its environment.
    held : sequence of int
        File descriptors of locks that the command holds as well.

    Returns
    -------
    int, str
        The exit status, and the last lines.
    """
    tail: deque[str] = deque(maxlen=TAIL)
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        pass_fds=held,
    )
    _running.add(process)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            shown = redacted(line.rstrip())
            tail.append(shown)
            on_line(shown)
        return process.wait(), "\n".join(tail)
    finally:
        end(process)
        _running.discard(process)


def end(
    process: subprocess.Popen[str] | subprocess.Popen[bytes] | psutil.Process, grace: float = GRACE, requests: int = 1
) -> None:
    """End a process and all that it has started and that still runs: asked first, then made to.

    Parameters
    ----------
    process : Popen or psutil.Process
        The first process of its session; it may be gone already.
    grace : float
        Seconds between asking and ending.
    requests : int
        How often it is asked; a worker of Prefect ends at the second request.
    """
    family: set[psutil.Process] = set()
    for number in (*[signal.SIGTERM] * requests, signal.SIGKILL):
        family = {one for one in family | _started_by(process.pid) if is_alive(one)}
        if not family:
            break
        for one in sorted(family, key=lambda one: one.pid != process.pid):  # else it reports a child that has ended
            with suppress(psutil.NoSuchProcess):
                one.send_signal(number)
        # Its own handle waits for the first one: whoever else waits on that handle must still learn the exit status.
        with suppress(subprocess.TimeoutExpired, psutil.TimeoutExpired):
            process.wait(grace)
        psutil.wait_procs([one for one in family if one.pid != process.pid], timeout=grace)
    if isinstance(process, subprocess.Popen):
        process.wait()


def end_all() -> None:
    """End every command that runs; for the handler of a signal."""
    for process in list(_running):
        end(process)


def is_alive(process: psutil.Process) -> bool:
    """Whether a process still runs, rather than wait for its parent to take its exit status."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def wait_until_serving(name: str, serves: Callable[[], bool], runs: Callable[[], bool], log: str) -> None:
    """Wait until a server answers or a worker reports.

    Parameters
    ----------
    name : str
        What to call it.
    serves : callable
        Whether it does.
    runs : callable
        Whether its process still runs; one that has ended never will serve.
    log : str
        Where to look for what went wrong.

    Raises
    ------
    PhotocriticError
        It has ended, or has not answered in time.
    """
    until = time.monotonic() + PATIENCE
    while not serves():
        if not runs():
            raise PhotocriticError(f"{name} ended at once: {log} says why")
        if time.monotonic() > until:
            raise PhotocriticError(f"{name} did not answer within {PATIENCE:.0f} seconds: see {log}")
        time.sleep(LOOK)


def answers(address: str) -> bool:
    """Whether a server answers at an address."""
    try:
        return httpx.get(address, timeout=5.0).is_success
    except httpx.TransportError:
        return False


def _started_by(pid: int) -> set[psutil.Process]:
    """Return a session's processes and their descendants: the first may be gone before those that it has started."""
    found: set[psutil.Process] = set()
    for one in psutil.process_iter():
        with suppress(ProcessLookupError, psutil.NoSuchProcess):
            if os.getsid(one.pid) == pid:
                found |= {one, *one.children(recursive=True)}
    return found
