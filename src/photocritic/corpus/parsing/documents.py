"""Corpora that are one large JSON document, read piece by piece."""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import ijson

from photocritic.corpus.parsing.encoding import refuse_wide
from photocritic.corpus.records import Kind, Rejected, described
from photocritic.errors import CorpusError

NOT_UTF8 = "\ufdd0"  # stands for bytes that are not UTF-8: a noncharacter, which no text may use

_UNDECODED = re.compile("[\udc80-\udcff]+")
_BLOCK = 1 << 16


def items(path: Path, prefix: str) -> Iterator[Any]:
    """Stream the values that stand at a place in a JSON document.

    Parameters
    ----------
    path : Path
        The file; UTF-8, with or without a byte order mark.
    prefix : str
        The place in ijson's notation, such as "images.item".

    Yields
    ------
    Any
        Python values; bytes that are not UTF-8 are `NOT_UTF8` in them.

    Raises
    ------
    CorpusError
        The file cannot be opened, or is not JSON from some value on.
    """
    return _parse(path, lambda stream: ijson.items(stream, prefix, use_float=True), lambda _: "")


def pairs(path: Path, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Stream the keys and values of an object in a JSON document; otherwise as `items`."""
    return _parse(path, lambda stream: ijson.kvitems(stream, prefix, use_float=True), lambda item: f" '{item[0]}'")


def _parse(path: Path, parse: Any, name: Any) -> Iterator[Any]:
    refuse_wide(path)
    count, last = 0, ""
    try:
        with path.open("rb") as stream:
            for item in parse(_Decoded(stream)):
                yield item
                count, last = count + 1, name(item)
    except ijson.JSONError as error:
        what = " ".join(str(error).split("\n")[0].split())
        place = f"after item {count}{last}" if count else "at its beginning"
        raise CorpusError(f"{path}: not valid JSON {place}: {what}; is the file complete?") from None
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read: {error.strerror}") from None


class _Decoded:
    """A file whose bytes that are not UTF-8 are replaced by a mark, so that they cost one text and not the file."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="surrogateescape")

    def read(self, _size: int = -1) -> bytes:
        # ijson takes blocks of any size, and b"" as the end of the file
        if not _size:
            return b""
        while block := self._stream.read(_BLOCK):
            if text := self._decoder.decode(block):
                return _UNDECODED.sub(NOT_UTF8, text).encode()
        return _UNDECODED.sub(NOT_UTF8, self._decoder.decode(b"", final=True)).encode()


def text_or_rejected(value: Any, source: str, position: str, kind: Kind = "comment") -> str | Rejected:
    """Take a JSON value as a text.

    Parameters
    ----------
    value : Any
        What stands where a text should.
    source, position, kind : str
        As in `Rejected`.

    Returns
    -------
    str or Rejected
        The text, or why there is none.
    """
    if isinstance(value, str) and NOT_UTF8 not in value:
        return value
    reason = "not UTF-8" if isinstance(value, str) else "malformed row: its text is not a string"
    content = described(value).replace(NOT_UTF8, "\ufffd")
    return Rejected(source=source, position=position, kind=kind, reason=reason, content=content)
