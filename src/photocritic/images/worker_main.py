"""The process that decodes untrusted images within limits: `python -m photocritic.images.worker_main`."""

import math
import os
import resource
import signal
import sys
from typing import BinaryIO

from photocritic.core.limits import confine
from photocritic.images import messages
from photocritic.images.formats import register


def main(memory: int, seconds: int) -> None:
    """Answer requests on standard input until it ends.

    Parameters
    ----------
    memory : int
        Bytes that decoding may take.
    seconds : int
        Of processor time that one image may take; the kernel ends the process then.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process
    requests, replies = os.fdopen(0, "rb", closefd=False), os.fdopen(os.dup(1), "wb")
    register()
    confine(memory)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # writes no file
    _send(replies, messages.Outcome.READY, b"")
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # libraries write warnings there
        os.dup2(silence, stream)
    while tasks := _request(requests):
        for task in tasks:
            _limit_time(seconds)
            outcome, reply = messages.answer(*task)
            _send(replies, outcome, reply)
            if outcome == messages.Outcome.OUT_OF_MEMORY:
                return


def _request(stream: BinaryIO) -> list[tuple[int, int, bytes]]:
    """Read one request whole, so that its sender never waits to write while its replies wait to be read."""
    head = stream.read(messages.COUNT.size)
    if not head:
        return []
    tasks = []
    for _ in range(*messages.COUNT.unpack(head)):
        operation, side, size = messages.TASK.unpack(stream.read(messages.TASK.size))
        tasks.append((operation, side, stream.read(size)))
    return tasks


def _send(stream: BinaryIO, outcome: int, reply: bytes) -> None:
    stream.write(messages.REPLY.pack(outcome, len(reply)) + reply)
    stream.flush()


def _limit_time(seconds: int) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    wanted = math.ceil(used.ru_utime + used.ru_stime) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
