"""The process that parses corpora: takes tasks from stdin, a line each, and sends frames of records to stdout."""

import ctypes
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from photocritic.config import IngestParams
from photocritic.core import limits
from photocritic.core.errors import CorpusError
from photocritic.ingest import readers
from photocritic.ingest.records import Image, Record, frame, pack

_BATCH: Final = 256  # records a frame
_BYTES: Final = 4 << 20  # of images a frame, but for one that is larger
_PR_SET_PDEATHSIG: Final = 1


def main() -> None:
    """Read one corpus after another as the parent process says; the last frame of each says how it ended."""
    _end_with(int(sys.argv[1]))
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # whatever a library prints is no frame
        limits.confine()
        for line in sys.stdin.buffer:
            task = json.loads(line)
            os.chdir(task["folder"])
            out.write(frame(_work(task, out)))
            out.flush()


def _end_with(parent: int) -> None:
    """Make the system end this process with its parent; interrupts are for the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)


def _work(task: dict[str, object], out: BinaryIO) -> dict[str, str]:
    params = IngestParams.model_validate(task["params"])
    records = readers.get(params.reader).read(Path(params.source), params, int(str(task["seed"])))
    try:
        for batch in _batches(records):
            out.write(pack(batch))
            out.flush()
    except CorpusError as error:
        return {"refused": str(error)}
    except MemoryError:
        return {"failure": f"it needs more than {limits.WORKER_BYTES // limits.MIB} MB of memory"}
    except Exception as error:  # whatever a parser does with bytes that nobody thought of costs a row
        return {"failure": f"{type(error).__name__}: {error}"[:500]}
    return {}


def _batches(records: Iterator[Record]) -> Iterator[list[Record]]:
    """Yield records in batches; those before an error are a batch of their own."""
    batch: list[Record] = []
    held = 0
    try:
        for record in records:
            batch.append(record)
            held += len(record.data) if isinstance(record, Image) and isinstance(record.data, bytes) else 0
            if len(batch) >= _BATCH or held >= _BYTES:
                yield batch
                batch, held = [], 0
    except Exception:
        yield batch
        raise
    yield batch


if __name__ == "__main__":
    main()
