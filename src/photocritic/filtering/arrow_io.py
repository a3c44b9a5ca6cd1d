"""Arrow files that filters leave between the passes over a corpus; each stands whole or not at all."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from photocritic.core.files import atomic_file

_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")


def write(path: Path, table: pa.Table) -> Path:
    """Write a table to an Arrow file; gives back the path."""
    with atomic_file(path) as temporary, pa.ipc.new_file(str(temporary), table.schema, options=_OPTIONS) as writer:
        writer.write_table(table)
    return path


def read(path: Path) -> pa.Table:
    """Read an Arrow file that `write` wrote."""
    with pa.OSFile(str(path)) as source, pa.ipc.open_file(source) as file:
        return file.read_all()


def stream(paths: Iterable[Path]) -> Iterator[pa.Table]:
    """Read Arrow files one after another."""
    return map(read, paths)
