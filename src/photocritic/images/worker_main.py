"""The process that decodes untrusted images within limits, and the messages between it and its parent.

`python -m photocritic.images.worker_main` starts it. Messages are counted bytes: no pickles, nothing that is executed.
"""

import math
import os
import resource
import signal
import struct
import sys
from dataclasses import dataclass
from enum import IntEnum
from typing import BinaryIO

from photocritic.core.errors import UnreadableImage
from photocritic.core.limits import confine
from photocritic.images.decoding import Header, Inspection, OutOfMemory, Pixels, inspect, measure, square
from photocritic.images.formats import register

COUNT = struct.Struct(">I")  # before a request: its tasks
TASK = struct.Struct(">BIQ")  # operation, side, bytes of the image that follows
REPLY = struct.Struct(">BI")  # outcome, bytes that follow
HEADER = struct.Struct(">II")  # width, height; the format's name follows
INSPECTION = struct.Struct(">q")  # the perceptual hash; a header follows

Answer = Header | Inspection | Pixels


class Operation(IntEnum):
    """What is done with an image: `decoding.measure`, `inspect` or `square`."""

    MEASURE = 1
    INSPECT = 2
    SQUARE = 3


class Outcome(IntEnum):
    """How it went. After OUT_OF_MEMORY the worker ends: what it holds may be of images before."""

    READY = 0
    ANSWERED = 1
    UNREADABLE = 2
    OUT_OF_MEMORY = 3


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done with an image; `side` is that of a square, in pixels."""

    operation: Operation
    side: int = 0


def answer(operation: int, side: int, data: bytes) -> tuple[Outcome, bytes]:
    """Do a task in a worker; return what is replied."""
    try:
        if operation == Operation.SQUARE:
            return Outcome.ANSWERED, square(data, side).tobytes()
        if operation == Operation.MEASURE:
            return Outcome.ANSWERED, _packed(measure(data))
        found = inspect(data)
        return Outcome.ANSWERED, INSPECTION.pack(found.phash) + _packed(found.header)
    except OutOfMemory as error:
        return Outcome.OUT_OF_MEMORY, str(error).encode()
    except UnreadableImage as error:
        return Outcome.UNREADABLE, str(error).encode("utf-8", "backslashreplace")


def _packed(header: Header) -> bytes:
    return HEADER.pack(header.width, header.height) + header.format.encode()


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
    _send(replies, Outcome.READY, b"")
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # libraries write warnings there
        os.dup2(silence, stream)
    while tasks := _request(requests):
        for task in tasks:
            _limit_time(seconds)
            outcome, reply = answer(*task)
            _send(replies, outcome, reply)
            if outcome == Outcome.OUT_OF_MEMORY:
                return


def _request(stream: BinaryIO) -> list[tuple[int, int, bytes]]:
    """Read one request whole, so that its sender never waits to write while its replies wait to be read."""
    head = stream.read(COUNT.size)
    if not head:
        return []
    tasks = []
    for _ in range(*COUNT.unpack(head)):
        operation, side, size = TASK.unpack(stream.read(TASK.size))
        tasks.append((operation, side, stream.read(size)))
    return tasks


def _send(stream: BinaryIO, outcome: int, reply: bytes) -> None:
    stream.write(REPLY.pack(outcome, len(reply)) + reply)
    stream.flush()


def _limit_time(seconds: int) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    wanted = math.ceil(used.ru_utime + used.ru_stime) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
