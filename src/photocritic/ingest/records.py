"""What a reader finds in a corpus: photographs, comments, references, and what it could not read.

Between two processes records are frames, with nothing in them that could run: two lengths (of the JSON and of the
bytes), a JSON list of records, and the bytes of their images on end.
"""

import json
import os
import re
import struct
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal

Kind = Literal["image", "comment", "reference"]

AUTHOR = ("author", "author_id")  # the keys and columns that say who wrote something

_SURROGATE = re.compile("[\ud800-\udfff]")
_SHOWN = 2_000  # characters of a rejected row that quarantine keeps


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A photograph that a corpus names.

    Attributes
    ----------
    image_id : str
        Its name, unique in the corpus; a relative path with forward slashes at most.
    data : bytes, Path or None
        The encoded image, the file to read it from later, or None where only text is at hand.
    source, position : str
        The file that named it, and where in that file.
    split : str, optional
        train, val or test where the corpus says so.
    labels : tuple of str
        The corpus's own class labels.
    """

    image_id: str
    data: bytes | Path | None
    source: str
    position: str
    split: str | None = None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """What one person wrote under a photograph; without an id of its own it is given one.

    Attributes
    ----------
    source : str
        The file or corpus; where the comment is of one aspect of the photograph, `FILE:ASPECT`, as `pccd:composition`.
    """

    image_id: str
    text: str
    source: str
    position: str
    comment_id: str | None = None
    author_id: str | None = None
    style: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A caption to measure against, never to learn from."""

    image_id: str
    text: str
    source: str
    position: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A row or an image that cannot be used.

    Attributes
    ----------
    source, position : str
        The file, and the line, JSON key or archive member in it.
    kind : str
        What it would have been: image, comment or reference.
    reason : str
        A fixed phrase, which metrics count by, and details after a colon where there are any.
    content : str
        The row as far as it could be read.
    image_id : str, optional
        The photograph that is rejected by this, so that its comments can say so.
    """

    source: str
    position: str
    kind: Kind
    reason: str
    content: str
    image_id: str | None = None


Record = Image | Comment | Reference | Rejected


def is_unicode(text: str) -> bool:
    """Return whether a string can be written as UTF-8; bytes that could not be decoded leave surrogates behind."""
    return _SURROGATE.search(text) is None


def printable(text: str) -> str:
    r"""Shorten a row for the quarantine table and write undecodable bytes as \xNN."""
    return _SURROGATE.sub(lambda match: _escaped(ord(match[0])), text[:_SHOWN])


def described(value: object) -> str:
    """Return a JSON value as text for the quarantine table, without its author."""
    try:
        return printable(str(without_author(value) if isinstance(value, Mapping) else value))
    except RecursionError:
        return "nested too deeply to show"
    except ValueError:
        return "a number of too many digits to show"


def without_author(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a row but for who wrote it."""
    return {name: value for name, value in values.items() if name not in AUTHOR}


def normal(name: str) -> str:
    """Return an image's name in Unicode's form NFC; some systems write accents on disk in another than in files."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def shown(text: str, most: int = 80) -> str:
    """Return the beginning of a text of the corpus for a message, with control characters escaped."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text[:most])


def _escaped(code: int) -> str:
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


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
