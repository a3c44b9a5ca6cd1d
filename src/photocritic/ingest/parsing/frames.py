"""Records on their way between two processes: JSON with the images' bytes behind it, nothing that could run.

A frame is two lengths (of the JSON and of the bytes), a JSON list of records, and the bytes of their images on end.
"""

import json
import os
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from photocritic.ingest.records import Comment, Image, Record, Reference, Rejected

LENGTHS: Final = struct.Struct(">QQ")

_KINDS: Final = (Image, Comment, Reference, Rejected)
_NAMES: Final = {kind: tuple(field.name for field in fields(kind)) for kind in _KINDS}
_NUMBERS: Final = {kind: number for number, kind in enumerate(_KINDS)}


def pack(records: Iterable[Record]) -> bytes:
    """Write records as one frame."""
    rows: list[list[Any]] = []
    blobs: list[bytes] = []
    for record in records:
        values = [getattr(record, name) for name in _NAMES[type(record)]]
        if isinstance(record, Image):
            values[1] = _place(record.data, blobs)
        rows.append([_NUMBERS[type(record)], *values])
    return frame(rows, b"".join(blobs))


def frame(value: Any, blobs: bytes = b"") -> bytes:
    """Write any JSON value as a frame."""
    text = json.dumps(value, separators=(",", ":")).encode("ascii")
    return LENGTHS.pack(len(text), len(blobs)) + text + blobs


def _place(data: bytes | Path | None, blobs: list[bytes]) -> str | int | None:
    if isinstance(data, bytes):
        blobs.append(data)
        return len(data)
    return None if data is None else os.fspath(data)


def unpack(rows: list[Any], blobs: bytes) -> Iterator[Record]:
    """Read the records of a frame.

    Raises
    ------
    ValueError
        It holds anything but records.
    """
    start = 0
    for row in rows:
        if not isinstance(row, list) or not row or row[0] not in range(len(_KINDS)):
            raise ValueError("no record")
        kind = _KINDS[row[0]]
        values = dict(zip(_NAMES[kind], row[1:], strict=True))
        if kind is Image:
            data = values["data"]
            values["labels"] = tuple(map(_text, values["labels"]))
            if isinstance(data, int):
                values["data"], start = blobs[start : start + data], start + data
            elif data is not None:
                values["data"] = Path(data)
        if not all(value is None or isinstance(value, str | bytes | tuple | Path) for value in values.values()):
            raise ValueError("no record")
        yield _MAKE[row[0]](**values)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("no label")
    return value


_MAKE: Final[tuple[Callable[..., Record], ...]] = _KINDS
