"""A corpus parsed in a process of its own, with bounded memory: what breaks there costs a row, not the run."""

import atexit
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from photocritic.config import IngestParams
from photocritic.core import limits
from photocritic.core.errors import CorpusError
from photocritic.ingest import readers
from photocritic.ingest.authors import Authors
from photocritic.ingest.records import LENGTHS, Comment, Record, Rejected, is_unicode, unpack

_POLL = 1.0  # seconds between two looks at a worker that sends nothing
_BUNDLED = "sample"  # this reader parses nothing, and its authors are invented


def parsed(params: IngestParams, seed: int) -> Generator[Record, None, None]:
    """Stream the records of a corpus from a worker process that reads it.

    Authors are renamed (`authors.Authors`). Where the worker runs out of memory, is killed, or neither sends a record
    nor reads on for `limits.PARSE_SECONDS`, what it had sent stands, and a Rejected says where it stopped.

    Parameters
    ----------
    params : IngestParams
        The reader's name, the corpus, and which files are which.
    seed : int
        `params.sample_seed`, for readers that make what they read.

    Yields
    ------
    Image, Comment, Reference or Rejected
        In the reader's order.

    Raises
    ------
    CorpusError
        The reader raised it, or stopped before its first record.
    """
    if params.reader == _BUNDLED:
        yield from readers.get(params.reader).read(Path(params.source), params, seed)
        return
    authors = Authors()
    last: Record | None = None
    count = 0
    worker = _Worker.get()
    try:
        for record in worker.records(params, seed):
            last, count = record, count + 1
            yield _renamed(record, authors)
    finally:
        worker.release()
    if not worker.failure:
        return
    if last is None:
        raise CorpusError(f"{params.source}: cannot be read: {worker.failure} before the first record")
    position = f"after record {count}, {last.position}"
    reason = f"parser failed: {worker.failure}; what follows was not read"
    yield Rejected(source=last.source, position=position, kind="comment", reason=reason, content=params.source)


def _renamed(record: Record, authors: Authors) -> Record:
    if isinstance(record, Comment) and record.author_id is not None and is_unicode(record.author_id):
        return replace(record, author_id=authors.rename(record.author_id))
    return record


class _Worker:
    """The process, its frames, and why it stopped (empty where it read to the end).

    One that has ended a corpus well waits for the next one of the same thread, with which it would be killed.
    """

    idle: ClassVar[dict[tuple[int, int], "_Worker"]] = {}  # by process and thread

    def __init__(self) -> None:
        self.failure = ""
        self._is_idle = True
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "photocritic.ingest.parsing.parsing_main", str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pipesize=limits.MIB,
            env={**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"},  # another reserves more than may be taken
        )

    @classmethod
    def get(cls) -> "_Worker":
        """Return an idle worker of this thread, or a new one."""
        worker = cls.idle.pop((os.getpid(), threading.get_ident()), None)
        return worker if worker is not None and worker._process.poll() is None else cls()

    def release(self) -> None:
        """Keep the worker for the next corpus where it has ended this one well, and end it otherwise."""
        place = os.getpid(), threading.get_ident()
        if self._is_idle and place not in self.idle:
            self.idle[place] = self
        else:
            self.end()

    def end(self) -> None:
        """Kill the process and wait for its end."""
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        self._process.wait()

    def records(self, params: IngestParams, seed: int) -> Generator[Record, None, None]:
        """Yield the records that it sends, and note how it ended."""
        self._is_idle, self.failure = False, ""
        task = {"params": params.model_dump(mode="json"), "seed": seed, "folder": os.fspath(Path.cwd())}
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(task).encode() + b"\n")
            self._process.stdin.flush()
            while True:
                value, blobs = self._frame()
                if isinstance(value, dict):
                    self._end(value)
                    return
                yield from unpack(value, blobs)
        except TimeoutError:
            self.failure = f"no record within {limits.PARSE_SECONDS} seconds"
        except (EOFError, OSError):
            self.failure = self._ended()
        except (ValueError, TypeError, KeyError):
            self.failure = "the parser sent no records"

    def _end(self, value: dict[str, Any]) -> None:
        self.failure = str(value.get("failure", ""))
        self._is_idle = not self.failure
        if "refused" in value:
            raise CorpusError(str(value["refused"]))

    def _ended(self) -> str:
        status = self._process.wait()
        return f"the parser was killed by signal {-status}" if status < 0 else f"the parser ended with status {status}"

    def _frame(self) -> tuple[Any, bytes]:
        text, blobs = LENGTHS.unpack(self._read(LENGTHS.size))
        if text > limits.WORKER_BYTES or blobs > limits.WORKER_BYTES:
            raise ValueError("no frame")
        return json.loads(self._read(text)), bytes(self._read(blobs))

    def _read(self, size: int) -> bytearray:
        """Read so many bytes; each wait for the next is bounded."""
        assert self._process.stdout is not None
        data = bytearray()
        descriptor = self._process.stdout.fileno()
        while len(data) < size:
            self._await(descriptor)
            part = os.read(descriptor, min(size - len(data), limits.MIB))
            if not part:
                raise EOFError
            data += part
        return data

    def _await(self, descriptor: int) -> None:
        waited, seen = time.monotonic(), self._progress()
        while not select.select([descriptor], [], [], _POLL)[0]:
            now = self._progress()
            if now != seen:
                waited, seen = time.monotonic(), now
            if time.monotonic() - waited > limits.PARSE_SECONDS:
                raise TimeoutError

    def _progress(self) -> str:
        """Return how many bytes the process has read so far, as the system counts them."""
        try:
            return Path(f"/proc/{self._process.pid}/io").read_text(encoding="ascii").split("\n", 1)[0]
        except OSError:
            return ""


@atexit.register
def _end_idle() -> None:
    for (process, _), worker in _Worker.idle.items():
        if process == os.getpid():
            worker.end()
