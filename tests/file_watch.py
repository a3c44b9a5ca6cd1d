"""Waiting for files without looking again and again: the kernel reports each change below a folder (inotify)."""

import ctypes
import os
import select

LIBC = ctypes.CDLL(None, use_errno=True)
CHANGES = 0x2 | 0x8 | 0x80 | 0x100  # IN_MODIFY, IN_CLOSE_WRITE, IN_MOVED_TO, IN_CREATE


def until(found, folder, pid):
    """Return what is found at last, looked for whenever something has changed below a folder.

    Parameters
    ----------
    found : callable
        Returns what is wanted, or something false.
    folder : Path
        It exists already; folders that are made below it are watched as well.
    pid : int
        The process that makes the changes; where it ends before, the test fails.
    """
    changes, end = LIBC.inotify_init(), os.pidfd_open(pid)
    ended = False
    try:
        while True:
            for place, _, _ in os.walk(folder):
                LIBC.inotify_add_watch(changes, os.fsencode(place), CHANGES)
            if thing := found():
                return thing
            assert not ended, f"process {pid} ended before {folder} was as wanted"
            ready, _, _ = select.select([changes, end], [], [])
            ended = end in ready
            if changes in ready:
                os.read(changes, 1 << 16)
    finally:
        os.close(changes)
        os.close(end)


STARTED = "Application startup complete"  # of uvicorn


def until_serving(log, pid, *words):
    """Wait until a server of uvicorn has written to its log that it has started, and these words."""
    until(lambda: all(word in log.read_text(errors="replace") for word in (STARTED, *words)), log.parent, pid)
