"""Text files of a corpus: regular files of UTF-8 only, and lines of bounded length."""

import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from photocritic.core.errors import CorpusError
from photocritic.core.limits import ROW_BYTES

_MARKS = {b"\xff\xfe\x00\x00": "UTF-32", b"\x00\x00\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_PACKED = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "ZIP",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"7z\xbc\xaf": "7-Zip",
}
_LOOKED_AT = 4096  # bytes
_ENOUGH = 64  # bytes, to judge by zeros
_ZEROS = 0.2  # share of them that no text in UTF-8 has; English in UTF-16 has a half
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY  # nothing that waits, should it be no file after all


def open_regular(path: Path) -> BinaryIO:
    """Open a file, and nothing that only looks like one: no pipe, device, socket or folder.

    Raises
    ------
    CorpusError
        It is missing, may not be read, or is no regular file.
    """
    try:
        _refuse_irregular(path, path.stat())  # before it is opened: a device may do something then
        stream = os.fdopen(os.open(path, _FLAGS), "rb")
        _refuse_irregular(path, os.fstat(stream.fileno()))
    except OSError as error:
        raise CorpusError(f"{path}: cannot be opened: {error.strerror}") from None
    except ValueError as error:  # a name with a zero byte
        raise CorpusError(f"{path}: cannot be opened: {error}") from None
    return stream


def _refuse_irregular(path: Path, state: os.stat_result) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise CorpusError(f"{path}: not a regular file but a folder, pipe, device or socket")


def open_document(path: Path) -> BinaryIO:
    """Open a file of UTF-8 text as bytes.

    Raises
    ------
    CorpusError
        It cannot be opened, is compressed, or is in UTF-16 or UTF-32: it begins so, or has very many zeros.
    """
    stream = open_regular(path)
    first = stream.read(_LOOKED_AT)
    stream.seek(0)
    found = next((name for mark, name in _MARKS.items() if first.startswith(mark)), "")
    if not found and len(first) >= _ENOUGH and first.count(0) > _ZEROS * len(first):
        found = "UTF-16"
    packed = next((name for mark, name in _PACKED.items() if first.startswith(mark)), "")
    if packed or found:
        stream.close()
    if packed:
        raise CorpusError(f"{path}: not text but compressed ({packed}); decompress the file")
    if found:
        raise CorpusError(f"{path}: seems to be {found}, not UTF-8; save the file as UTF-8")
    return stream


def open_text(path: Path, newline: str | None = "\n") -> TextIO:
    """Open a file of UTF-8 text; bytes that are not UTF-8 become surrogates. Raises as `open_document`."""
    return io.TextIOWrapper(open_document(path), encoding="utf-8-sig", errors="surrogateescape", newline=newline)


def lines(stream: TextIO) -> Iterator[str]:
    """Stream the lines of a file; of one that `is_too_long` the beginning alone."""
    while line := stream.readline(ROW_BYTES + 1):
        rest = line if is_too_long(line) else ""
        while rest and not rest.endswith(("\n", "\r")):
            rest = stream.readline(ROW_BYTES)
        yield line


def is_too_long(line: str) -> bool:
    """Return whether a line is longer than a row may be."""
    return len(line) > ROW_BYTES
