"""Rows of CSV, TSV and JSON Lines files, one bad row never costing another."""

import csv
import json
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from photocritic.corpus.parsing.encoding import refuse_wide
from photocritic.corpus.records import Kind, Rejected, is_unicode, printable
from photocritic.errors import CorpusError

SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson")

_DELIMITERS = {".csv": ",", ".tsv": "\t"}


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
        The row as it stands in the file.
    """

    position: str
    values: dict[str, Any]
    raw: str


def read_rows(path: Path, source: str, kind: Kind, needed: Sequence[Sequence[str]] = ()) -> Iterator[Row | Rejected]:
    """Stream the rows of a CSV, TSV or JSON Lines file.

    The file is UTF-8, with or without a byte order mark. A row with bytes that are not UTF-8, a row that is not
    JSON, and a row with too many or too few fields come back as Rejected; blank lines are no rows.

    Parameters
    ----------
    path : Path
        The file; its suffix tells the format.
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
        raise CorpusError(f"{path}: '{suffix}' is no known kind of table; bring one of {', '.join(SUFFIXES)}")
    refuse_wide(path)
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
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
        self._stream = stream
        self._waiting: deque[str] = deque()
        self.taken: list[str] = []
        self.number = 1  # of the first line taken

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self.taken.append(self._waiting.popleft() if self._waiting else next(self._stream))
        return self.taken[-1]

    def settle(self, count: int) -> None:
        """Be done with the first `count` lines taken; the others come again."""
        self._waiting.extendleft(reversed(self.taken[count:]))
        self.number += count
        self.taken = []


def _csv(stream: TextIO, path: Path, delimiter: str, needed: Sequence[Sequence[str]]) -> Iterator[Row | _Bad]:
    lines = _Lines(stream)
    header: list[str] = []
    for position, fields, raw in _split(lines, delimiter):
        if not header:
            header = _header(fields, path, needed)
            continue
        if isinstance(fields, str):
            yield _Bad(position, fields, raw)
        elif not is_unicode(raw):
            yield _Bad(position, "not UTF-8", raw)
        elif len(fields) != len(header):
            yield _Bad(position, f"malformed row: {len(fields)} fields where the header has {len(header)}", raw)
        else:
            yield Row(position, dict(zip(header, fields, strict=True)), raw)
    if not header:
        _header([], path, needed)


def _split(lines: _Lines, delimiter: str) -> Iterator[tuple[str, list[str] | str, str]]:
    """Give each row's position, its fields (or why it has none), and its text."""
    reader = csv.reader(lines, delimiter=delimiter)
    while True:
        fields: list[str] | str
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            fields = f"malformed row: {error}"
        position = f"line {lines.number}"
        used = len(lines.taken)
        if used > 1 and (isinstance(fields, str) or not _quotes_match(lines.taken, delimiter)):
            # A quote that is never closed swallows the lines after it: only the line where it opens is bad.
            fields, used = "malformed row: a quote is not closed", 1
        raw = "".join(lines.taken[:used])
        lines.settle(used)
        if raw.strip():
            yield position, fields, raw


def _quotes_match(taken: list[str], delimiter: str) -> bool:
    try:
        return len(list(csv.reader(taken, delimiter=delimiter, strict=True))) == 1
    except csv.Error:
        return False


def _header(fields: list[str] | str, path: Path, needed: Sequence[Sequence[str]]) -> list[str]:
    if isinstance(fields, str) or not all(map(is_unicode, fields)):
        raise CorpusError(f"{path}: line 1: the header is not UTF-8 text; save the file as UTF-8")
    header = [field.strip().lower() for field in fields]
    wanted = [" or ".join(f"'{name}'" for name in names) for names in needed if not set(names) & set(header)]
    if wanted:
        found = ", ".join(f"'{name}'" for name in header) or "nothing"
        raise CorpusError(f"{path}: line 1: no column {' and no column '.join(wanted)}; found {found}")
    twice = [name for name in header if header.count(name) > 1]
    if twice:
        raise CorpusError(f"{path}: line 1: column '{twice[0]}' stands there twice")
    return header


def _jsonl(stream: TextIO) -> Iterator[Row | _Bad]:
    for number, line in enumerate(stream, start=1):
        if line.strip():
            yield _json_row(f"line {number}", line)


def _json_row(position: str, line: str) -> Row | _Bad:
    if not is_unicode(line):
        return _Bad(position, "not UTF-8", line)
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        return _Bad(position, f"malformed row: not JSON: {error}", line)
    if not isinstance(values, dict):
        return _Bad(position, "malformed row: not a JSON object", line)
    return Row(position, values, line)
