"""Rows of CSV, TSV and JSON Lines files, one bad row never costing another."""

import csv
import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from photocritic.core.errors import CorpusError
from photocritic.core.limits import JSON_DEPTH, MIB, ROW_BYTES, ROW_LINES
from photocritic.core.nesting import is_too_deep
from photocritic.ingest.parsing import encoding
from photocritic.ingest.records import AUTHOR, Kind, Rejected, is_unicode, printable, without_author

SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson")

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_HIDDEN = "not shown, as it may name an author"
_AUTHOR_IN_JSON = re.compile(r'("(?:author|author_id)"\s*:\s*)("(?:[^"\\]|\\.)*"?|[^,}\s]*)', re.IGNORECASE)
_UNCLOSED = "malformed row: a quote is not closed, or is within quotes and not doubled"
_TOO_LONG = f"malformed row: longer than {ROW_BYTES // MIB} MB"


@dataclass(frozen=True, slots=True)
class Row:
    """One row that could be taken apart.

    Attributes
    ----------
    position : str
        The line on which it begins.
    values : dict
        Strings by lower-case column name (CSV), or any JSON value by key.
    raw : str
        The row as it is in the file.
    """

    position: str
    values: dict[str, Any]
    raw: str

    def rejected(self, source: str, kind: Kind, reason: str) -> Rejected:
        """Return the row as rejected, without who wrote it."""
        content = self.raw.rstrip("\r\n")
        if any(name in self.values for name in AUTHOR):
            content = json.dumps(without_author(self.values), ensure_ascii=False)
        return Rejected(source=source, position=self.position, kind=kind, reason=reason, content=printable(content))


def read_rows(path: Path, source: str, kind: Kind, needed: Sequence[Sequence[str]] = ()) -> Iterator[Row | Rejected]:
    """Stream the rows of a CSV, TSV or JSON Lines file.

    The file is UTF-8, with or without a byte order mark. A row with bytes that are not UTF-8, a row that is not
    JSON, and a row with too many or too few fields come back as Rejected; blank lines are no rows. So does a row that
    is longer than `limits.ROW_BYTES` or, quoted, spans more than `limits.ROW_LINES`.

    Parameters
    ----------
    path : Path
        The file; its suffix decides the format.
    source : str
        Its name in records.
    kind : str
        What its rows are, for those that are rejected.
    needed : sequence of sequences of str
        For each column that a CSV header must have, the names it may go by.

    Yields
    ------
    Row or Rejected
        In the order of the file, one for each row.

    Raises
    ------
    CorpusError
        The file cannot be opened, is in UTF-16, its suffix is unknown, or its header lacks a column.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise CorpusError(f"{path}: '{suffix}' is not a supported table format; use one of {', '.join(SUFFIXES)}")
    with encoding.open_text(path, newline="") as stream:
        rows = _csv(stream, path, _DELIMITERS[suffix], needed) if suffix in _DELIMITERS else _jsonl(stream)
        for row in rows:
            yield row if isinstance(row, Row) else row.rejected(source, kind)


@dataclass(frozen=True, slots=True)
class _Bad:
    position: str
    reason: str
    raw: str

    def rejected(self, source: str, kind: Kind) -> Rejected:
        content = printable(self.raw.rstrip("\r\n"))
        return Rejected(source=source, position=self.position, kind=kind, reason=self.reason, content=content)


class _Lines:
    """The physical lines of a file, some of which can be handed back."""

    def __init__(self, stream: TextIO) -> None:
        self._lines = encoding.lines(stream)
        self._waiting: deque[str] = deque()
        self._characters = 0
        self.taken: list[str] = []
        self.number = 1  # of the first line taken

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._waiting.popleft() if self._waiting else next(self._lines)
        self.taken.append(line)
        self._characters += len(line)
        if self._characters > ROW_BYTES or len(self.taken) > ROW_LINES:
            raise csv.Error(f"more than {ROW_LINES} lines or {ROW_BYTES // MIB} MB")
        return line

    def settle(self, count: int) -> None:
        """Be done with the first `count` lines taken; the others come again."""
        self._waiting.extendleft(reversed(self.taken[count:]))
        self.number += count
        self.taken = []
        self._characters = 0


def _csv(stream: TextIO, path: Path, delimiter: str, needed: Sequence[Sequence[str]]) -> Iterator[Row | _Bad]:
    header: list[str] = []
    authored = False
    for position, fields, raw in _split(_Lines(stream), delimiter):
        if not header:
            header = _header(fields, path, needed)
            authored = not set(AUTHOR).isdisjoint(header)
            continue
        reason = _flaw(fields, raw, len(header))
        if reason:
            # Which of its fields is the author cannot be known.
            yield _Bad(position, reason, _HIDDEN if authored else raw)
        else:
            yield Row(position, dict(zip(header, fields, strict=True)), raw)
    if not header:
        _header([], path, needed)


def _flaw(fields: list[str] | str, raw: str, columns: int) -> str:
    if isinstance(fields, str):
        return fields
    if not is_unicode(raw):
        return "not UTF-8"
    if len(fields) != columns:
        return f"malformed row: {len(fields)} fields where the header has {columns}"
    return ""


def _split(lines: _Lines, delimiter: str) -> Iterator[tuple[str, list[str] | str, str]]:
    """Yield each row's position, its fields (or why it has none), and its text.

    A quote that is never closed swallows the lines after it: only the line where it opens is bad. As a quote that opens
    on one of those lines would meet the same end, each of them is read alone; so that no line is read often.
    """
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    swallowed = 0
    while True:
        fields: list[str] | str
        try:
            fields = next(reader if lines.number >= swallowed else csv.reader([next(lines)], reader.dialect))
        except StopIteration:
            return
        except csv.Error:
            fields = _TOO_LONG if encoding.is_too_long(lines.taken[0]) else _UNCLOSED
        position = f"line {lines.number}"
        used = len(lines.taken)
        if used > 1 and isinstance(fields, str):
            swallowed, used = lines.number + used - 1, 1
        raw = "".join(lines.taken[:used])
        lines.settle(used)
        if raw.strip():
            yield position, fields, raw


def _header(fields: list[str] | str, path: Path, needed: Sequence[Sequence[str]]) -> list[str]:
    if isinstance(fields, str):
        raise CorpusError(f"{path}: line 1: the header cannot be read: {fields}")
    if not all(map(is_unicode, fields)):
        raise CorpusError(f"{path}: line 1: the header is not UTF-8 text; save the file as UTF-8")
    header = [field.strip().lower() for field in fields]
    wanted = [" or ".join(f"'{name}'" for name in names) for names in needed if not set(names) & set(header)]
    if wanted:
        found = ", ".join(f"'{name}'" for name in header[:20]) or "nothing"
        raise CorpusError(f"{path}: line 1: no column {' and no column '.join(wanted)}; found {found[:500]}")
    twice = next((name for place, name in enumerate(header) if name in header[:place]), None)
    if twice is not None:
        raise CorpusError(f"{path}: line 1: column '{twice[:100]}' occurs twice")
    return header


def _jsonl(stream: TextIO) -> Iterator[Row | _Bad]:
    for number, line in enumerate(encoding.lines(stream), start=1):
        if line.strip():
            yield _json_row(f"line {number}", line)


def _json_row(position: str, line: str) -> Row | _Bad:
    reason, values = "", None
    if encoding.is_too_long(line):
        reason = _TOO_LONG
    elif not is_unicode(line):
        reason = "not UTF-8"
    elif is_too_deep(line):
        reason = f"malformed row: nested more than {JSON_DEPTH} deep"
    else:
        try:
            values = _DECODER.decode(line)
        except (ValueError, RecursionError) as error:
            reason = f"malformed row: not JSON: {error}"
    if not reason and isinstance(values, dict):
        return Row(position, values, line)
    raw = _AUTHOR_IN_JSON.sub(r'\1"..."', line)
    return _Bad(position, reason or "malformed row: not a JSON object", raw)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a key occurs twice")
    return values


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
