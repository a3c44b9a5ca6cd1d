"""What goes between a process and its image workers: counted bytes, no pickles, and nothing that is executed."""

import struct
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from photocritic.core.errors import UnreadableImage
from photocritic.images.decoding import Header, Inspection, OutOfMemory, Pixels, inspect, measure, square

COUNT = struct.Struct(">I")  # before a request: its tasks
TASK = struct.Struct(">BIQ")  # operation, side, bytes of the image that follows
REPLY = struct.Struct(">BI")  # outcome, bytes that follow
_HEADER = struct.Struct(">II")  # width, height; the format's name follows
_INSPECTION = struct.Struct(">q")  # the perceptual hash; a header follows

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

    @property
    def largest_answer(self) -> int:
        """Bytes that a reply may have at most."""
        return max(4_096, 3 * self.side**2)


def answer(operation: int, side: int, data: bytes) -> tuple[Outcome, bytes]:
    """Do a task in a worker; return what is replied."""
    try:
        if operation == Operation.SQUARE:
            return Outcome.ANSWERED, square(data, side).tobytes()
        if operation == Operation.MEASURE:
            return Outcome.ANSWERED, _packed(measure(data))
        found = inspect(data)
        return Outcome.ANSWERED, _INSPECTION.pack(found.phash) + _packed(found.header)
    except OutOfMemory as error:
        return Outcome.OUT_OF_MEMORY, str(error).encode()
    except UnreadableImage as error:
        return Outcome.UNREADABLE, str(error).encode("utf-8", "backslashreplace")


def understood(task: Task, outcome: int, reply: bytes) -> Answer:
    """Read a worker's reply.

    Raises
    ------
    UnreadableImage
        The image could not be decoded.
    ValueError, struct.error
        The reply is none.
    """
    if outcome == Outcome.OUT_OF_MEMORY:
        raise OutOfMemory(reply.decode())
    if outcome == Outcome.UNREADABLE:
        raise UnreadableImage(reply.decode())
    if task.operation == Operation.SQUARE:
        return np.frombuffer(reply, np.uint8).reshape(task.side, task.side, 3)
    if task.operation == Operation.MEASURE:
        return _unpacked(reply)
    return Inspection(_unpacked(reply[_INSPECTION.size :]), *_INSPECTION.unpack_from(reply))


def _packed(header: Header) -> bytes:
    return _HEADER.pack(header.width, header.height) + header.format.encode()


def _unpacked(reply: bytes) -> Header:
    width, height = _HEADER.unpack_from(reply)
    return Header(reply[_HEADER.size :].decode("ascii"), width, height)
