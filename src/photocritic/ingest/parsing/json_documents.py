"""Corpora that are one large JSON document, read piece by piece."""

import codecs
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import ijson

from photocritic.core.errors import CorpusError
from photocritic.core.limits import BATCH_BYTES, JSON_DEPTH, MIB
from photocritic.core.nesting import Nesting
from photocritic.ingest.parsing.encoding import open_document
from photocritic.ingest.records import Kind, Rejected, described, printable

NOT_UTF8 = "\ufdd0"  # replaces what is not UTF-8 or half a character: a noncharacter, which no text may use

_UNDECODED = re.compile("[\udc80-\udcff]+")
_BLOCK = 1 << 16
# Up to an escape that the text ends within, or to one of half a character whose other half may still come.
_WHOLE = re.compile(
    r"(?:[^\\]+|\\[^u]|\\u(?![dD][89abAB])[0-9a-fA-F]{4}|\\u[0-9a-fA-F]{4}(?=[^\\]|\\[^u]|\\u[0-9a-fA-F]{4}))*",
    re.DOTALL,
)
_LONGEST = len(r"\ud83d\udc0")  # of what is kept back
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.", re.DOTALL
)


def items(path: Path, prefix: str) -> Iterator[Any]:
    """Stream the values at a place in a JSON document.

    Parameters
    ----------
    path : Path
        The file; UTF-8, with or without a byte order mark.
    prefix : str
        The place in ijson's notation, such as "images.item".

    Yields
    ------
    Any
        Python values; bytes that are not UTF-8, and escapes of half a character, are `NOT_UTF8` in them.

    Raises
    ------
    CorpusError
        The file cannot be opened, is not JSON from some value on, is nested deeper than `limits.JSON_DEPTH`, or has one
        value of more than `limits.BATCH_BYTES`.
    """
    level = prefix.count(".") + 1
    return _parse(path, level, lambda stream: ijson.items(stream, prefix, use_float=True), lambda _: "")


def pairs(path: Path, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Stream the keys and values of an object in a JSON document; otherwise as `items`."""
    level = prefix.count(".") + bool(prefix) + 1
    return _parse(path, level, lambda stream: ijson.kvitems(stream, prefix, use_float=True), lambda item: item[0])


def _parse(path: Path, level: int, parse: Callable[[Any], Any], name: Callable[[Any], str]) -> Iterator[Any]:
    count, last = 0, ""
    try:
        with open_document(path) as stream:
            for item in parse(_Decoded(stream, level)):
                yield item
                count, last = count + 1, name(item)
    except (ijson.JSONError, ValueError) as error:
        what = " ".join(str(error).split("\n")[0].split())
        named = f" '{printable(last)[:100]}'" if last else ""
        place = f"after item {count}{named}" if count else "at its beginning"
        broken = isinstance(error, ijson.JSONError)
        what = f"not valid JSON {place}: {what}; is the file complete?" if broken else f"{what}, {place}"
        raise CorpusError(f"{path}: {what}") from None
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read: {error.strerror}") from None


class _Decoded:
    """A file of bounded depth, whose bytes that are not UTF-8 are replaced by a mark: they cost one text, not the file.

    Parameters
    ----------
    stream : BinaryIO
        The file.
    level : int
        Lists and objects around each value that is read as a whole.
    """

    def __init__(self, stream: BinaryIO, level: int) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="surrogateescape")
        self._level = level
        self._nesting = Nesting()
        self._begun = ""  # an escape of which the rest is still to come
        self._held = 0  # characters of the value that is being read

    def read(self, _size: int = -1) -> bytes:
        # ijson takes blocks of any size, and b"" as the end of the file
        if not _size:
            return b""
        while block := self._stream.read(_BLOCK):
            if text := self._whole(self._begun + self._decoder.decode(block)):
                return self._checked(text)
        rest, self._begun = self._begun + self._decoder.decode(b"", final=True), ""
        return self._checked(rest)

    def _whole(self, text: str) -> str:
        """Keep an escape back that is not whole, or whose other half is still to come."""
        if "\\" not in text:
            self._begun = ""
            return text
        found = _WHOLE.match(text)
        end = found.end() if found else 0
        if len(text) - end > _LONGEST:  # no escape at all: the parser is to say so
            end = len(text)
        self._begun = text[end:]
        return text[:end]

    def _checked(self, text: str) -> bytes:
        least, greatest = self._nesting.feed(text)
        self._held = len(text) if least <= self._level else self._held + len(text)
        if greatest > JSON_DEPTH:
            raise ValueError(f"nested more than {JSON_DEPTH} deep")
        if self._held > BATCH_BYTES:
            raise ValueError(f"one value of more than {BATCH_BYTES // MIB} MB")
        if "\\u" in text:
            text = _ESCAPE.sub(lambda match: NOT_UTF8 if match[1] else match[0], text)
        return _UNDECODED.sub(NOT_UTF8, text).encode()


def text_or_rejected(value: Any, source: str, position: str, kind: Kind = "comment") -> str | Rejected:
    """Return a JSON value as a text.

    Parameters
    ----------
    value : Any
        The value.
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
