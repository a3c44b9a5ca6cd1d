"""A worker process that decodes images, as its parent sees it; the parent reads the files."""

import contextlib
import os
import select
import signal
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from photocritic.core.errors import PhotocriticError, UnreadableImage
from photocritic.core.limits import IMAGE_BYTES, MIB
from photocritic.images.decoding import Header, Inspection, OutOfMemory
from photocritic.images.worker_main import COUNT, HEADER, INSPECTION, REPLY, TASK, Answer, Operation, Outcome, Task

_START = 120.0  # seconds for a process to start, on a machine that is very busy
_SLACK = 10  # a worker that uses no processor time is given up after this many times the limit on it
_CHUNK = 1 << 20
_SMALL = 4_096  # bytes that any reply may have; a square's has as many as it has numbers
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY  # nothing that waits, should it be no file after all


class WorkerLost(Exception):
    """A worker that has ended, or had to be ended, at an image; the message says what that image did.

    Parameters
    ----------
    reason : str
        What the image did.
    retry : bool
        Whether the images before it may be the cause, such as memory that was not freed; then another try may succeed.
    """

    def __init__(self, reason: str, *, retry: bool) -> None:
        super().__init__(reason)
        self.retry = retry


class WorkerProcess:
    """A process that decodes images within limits.

    Parameters
    ----------
    memory : int
        Bytes that decoding may take.
    seconds : int
        Of processor time that one image may take.

    Raises
    ------
    PhotocriticError
        It cannot be started.
    """

    def __init__(self, memory: int, seconds: int) -> None:
        self._memory, self._seconds = memory, seconds
        self._answered = 0
        # -P: the folder that the command is run in may be a stranger's, and is no place to import from.
        command = [sys.executable, "-P", "-m", "photocritic.images.worker_main", str(memory), str(seconds)]
        quiet = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=os.environ | quiet
            )
        except OSError as error:
            raise PhotocriticError(f"cannot start a process to decode images: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        try:
            self._reply(time.monotonic() + _START, 0)
        except WorkerLost as lost:
            raise PhotocriticError(f"the process to decode images ended while it started ({lost})") from None

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def decode(self, tasks: Sequence[tuple[Task, bytes]]) -> Iterator[Answer | UnreadableImage]:
        """Decode images.

        Parameters
        ----------
        tasks : sequence of (Task, bytes)
            What to do with which encoded image.

        Yields
        ------
        Answer or UnreadableImage
            In the order of the tasks.

        Raises
        ------
        WorkerLost
            The process has ended while it was at the image whose answer is due.
        """
        self._send(tasks)
        for task, _ in tasks:
            outcome, reply = self._reply(time.monotonic() + _SLACK * self._seconds, max(_SMALL, 3 * task.side**2))
            fresh, self._answered = self._answered == 0, self._answered + 1
            try:
                yield _understood(task, outcome, reply)
            except OutOfMemory:
                limit = f"it takes more than {self._memory >> 20} MB of memory"
                raise WorkerLost(self._ended(limit), retry=not fresh) from None
            except UnreadableImage as error:
                yield error
            except (ValueError, struct.error):
                raise WorkerLost(self._ended("it crashed the decoder"), retry=not fresh) from None

    def _send(self, tasks: Sequence[tuple[Task, bytes]]) -> None:
        deadline = time.monotonic() + _SLACK * self._seconds
        self._write(COUNT.pack(len(tasks)), deadline)
        for task, data in tasks:
            self._write(TASK.pack(task.operation, task.side, len(data)), deadline)
            self._write(data, deadline)

    def _write(self, data: bytes, deadline: float) -> None:
        rest = memoryview(data)
        while rest:
            self._wait(self._in, select.POLLOUT, deadline)
            try:
                rest = rest[os.write(self._in, rest[:_CHUNK]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._lost() from None

    def _reply(self, deadline: float, most: int) -> tuple[int, bytes]:
        outcome, size = REPLY.unpack(self._read(REPLY.size, deadline))
        if size > most or outcome not in list(Outcome):
            self.close()
            raise WorkerLost("it crashed the decoder", retry=False)
        return outcome, self._read(size, deadline)

    def _read(self, size: int, deadline: float) -> bytes:
        found = bytearray()
        while len(found) < size:
            self._wait(self._out, select.POLLIN, deadline)
            part = os.read(self._out, min(size - len(found), _CHUNK))
            if not part:
                raise self._lost()
            found += part
        return bytes(found)

    def _wait(self, stream: int, event: int, deadline: float) -> None:
        poll = select.poll()
        poll.register(stream, event)
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            raise WorkerLost(self._ended(self._too_long()), retry=False)

    def _lost(self) -> WorkerLost:
        """Return why the process has closed its side."""
        code = self._process.wait()
        self.close()
        if code == -signal.SIGXCPU:
            return WorkerLost(self._too_long(), retry=False)
        return WorkerLost("it crashed the decoder", retry=self._answered > 0)

    def _too_long(self) -> str:
        return f"it takes more than {self._seconds} seconds to decode"

    def _ended(self, reason: str) -> str:
        self.close()
        return reason


def _understood(task: Task, outcome: int, reply: bytes) -> Answer:
    """Read a reply; raises the error that it holds, and ValueError or struct.error where it is none."""
    if outcome == Outcome.OUT_OF_MEMORY:
        raise OutOfMemory(reply.decode())
    if outcome == Outcome.UNREADABLE:
        raise UnreadableImage(reply.decode())
    if task.operation == Operation.SQUARE:
        return np.frombuffer(reply, np.uint8).reshape(task.side, task.side, 3)
    if task.operation == Operation.MEASURE:
        return _header(reply)
    return Inspection(_header(reply[INSPECTION.size :]), *INSPECTION.unpack_from(reply))


def _header(reply: bytes) -> Header:
    width, height = HEADER.unpack_from(reply)
    return Header(reply[HEADER.size :].decode("ascii"), width, height)


def read(image: bytes | Path) -> bytes:
    """Read an image's file.

    Parameters
    ----------
    image : bytes or Path
        The file, or its content, which is checked alike.

    Returns
    -------
    bytes
        The encoded image.

    Raises
    ------
    UnreadableImage
        The path is missing, may not be read, or is a folder, a pipe, a device or a socket; or there are too many bytes.
    """
    if isinstance(image, bytes):
        return _checked(image)
    try:
        _refuse_irregular(image.stat())  # before it is opened: a device may do something then
        with os.fdopen(os.open(image, _FLAGS), "rb") as stream:
            state = os.fstat(stream.fileno())
            _refuse_irregular(state)
            if state.st_size > IMAGE_BYTES:
                raise _too_large()
            return _checked(stream.read(IMAGE_BYTES + 1))  # a file may grow, or not know its size
    except OSError as error:
        raise UnreadableImage(f"unreadable file: {error.strerror or type(error).__name__}") from None
    except ValueError as error:  # a name with a zero byte
        raise UnreadableImage(f"unreadable file: {error}") from None


def _too_large() -> UnreadableImage:
    return UnreadableImage(f"image too large: more than {IMAGE_BYTES // MIB} MB")


def _checked(data: bytes) -> bytes:
    if len(data) > IMAGE_BYTES:
        raise _too_large()
    return data


def _refuse_irregular(state: os.stat_result) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise UnreadableImage("unreadable file: not a regular file")
