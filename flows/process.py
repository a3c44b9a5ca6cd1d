"""Commands in process groups of their own, so that ending a flow ends what it has started, and all that started."""

import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from photocritic.core.redaction import redacted

GRACE = 10.0  # seconds between asking a group to end and ending it
LOOK = 0.02  # seconds between looks at whether it has ended
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

    Whatever ends the caller before the command is done, such as a flow run that is cancelled, ends the command's whole
    process group first.

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


def end(process: subprocess.Popen[str], grace: float = GRACE) -> None:
    """End a process and all of its group that still runs: asked first, then made to."""
    for asked in (signal.SIGTERM, signal.SIGKILL):
        if not _runs(process.pid):
            break
        with suppress(ProcessLookupError):
            os.killpg(process.pid, asked)
        until = time.monotonic() + grace
        while _runs(process.pid) and time.monotonic() < until:
            time.sleep(LOOK)
    process.wait()


def end_all() -> None:
    """End every command that runs; for the handler of a signal."""
    for process in list(_running):
        end(process)


def _runs(group: int) -> bool:
    """Tell whether any process of a group still runs: the first may be gone before those it has started."""
    for pid in psutil.pids():
        with suppress(ProcessLookupError, psutil.NoSuchProcess):
            if os.getpgid(pid) == group and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                return True
    return False
