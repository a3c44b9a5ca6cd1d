"""Faults in a process that runs with this folder on PYTHONPATH; nothing in the project knows of them.

FAULT_RENAME=n kills the process before its n-th rename; FAULT_CLOCK=s sets its clock s seconds ahead.
"""

import os
import signal
import time

_left = int(os.environ.get("FAULT_RENAME", "0"))
_ahead = float(os.environ.get("FAULT_CLOCK", "0"))


def _killing(function):
    def call(*arguments, **options):
        global _left  # noqa: PLW0603
        _left -= 1
        if _left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)

    return call


if _left:
    os.rename, os.replace = _killing(os.rename), _killing(os.replace)
if _ahead:
    _time, _time_ns = time.time, time.time_ns
    time.time = lambda: _time() + _ahead
    time.time_ns = lambda: _time_ns() + int(_ahead * 1e9)
