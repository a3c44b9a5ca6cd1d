"""Rows of CSV, TSV and JSON Lines: one bad row costs one row."""

import csv
import io
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from photocritic.core.errors import CorpusError
from photocritic.core.limits import ROW_BYTES, ROW_LINES
from photocritic.ingest.parsing.rows import Row, read_rows
from photocritic.ingest.records import Record, Rejected, is_unicode

NEEDED = (("image",), ("text", "caption"))
quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)


def rows_of(folder: Path, data: bytes, suffix: str = ".csv") -> list[Row | Rejected]:
    path = folder / f"rows{suffix}"
    path.write_bytes(data)
    return list(read_rows(path, path.name, "comment", NEEDED))


def test_values_and_line_numbers(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, b'\xef\xbb\xbfImage, Text\na.jpg,"two\nlines"\n\nb.jpg,one\n')
    assert [(row.position, row.values) for row in rows if isinstance(row, Row)] == [
        ("line 2", {"image": "a.jpg", "text": "two\nlines"}),
        ("line 5", {"image": "b.jpg", "text": "one"}),
    ]


def test_bad_rows_are_rejected_one_by_one(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, b"image,text\na,ok\nb,too,many\nc\nd,caf\xe9\ne,ok\n")
    assert [(row.position, row.reason.split(":")[0], row.content) for row in rows if isinstance(row, Rejected)] == [
        ("line 3", "malformed row", "b,too,many"),
        ("line 4", "malformed row", "c"),
        ("line 5", "not UTF-8", r"d,caf\xe9"),
    ]
    assert [row.values["image"] for row in rows if isinstance(row, Row)] == ["a", "e"]


@pytest.mark.parametrize("after", [b'b,"fine"\nc,fine\n', b"b,fine\nc,fine\n"])
def test_a_quote_that_never_closes_costs_its_own_line(tmp_path: Path, after: bytes) -> None:
    rows = rows_of(tmp_path, b'image,text\na,"open\n' + after)
    assert isinstance(rows[0], Rejected)
    assert rows[0].content == 'a,"open'
    assert [row.values for row in rows[1:] if isinstance(row, Row)] == [
        {"image": "b", "text": "fine"},
        {"image": "c", "text": "fine"},
    ]


def test_a_field_larger_than_csv_allows_costs_its_own_line(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, b"image,text\na," + b"x" * 200_000 + b"\nb,ok\n")
    assert [type(row) for row in rows] == [Rejected, Row]


def test_missing_columns_are_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"rows\.csv: line 1: no column 'image'; found 'file', 'text'"):
        rows_of(tmp_path, b"file,text\na,b\n")
    with pytest.raises(CorpusError, match="no column 'image' and no column 'text' or 'caption'; found nothing"):
        rows_of(tmp_path, b"")


def test_utf16_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="save the file as UTF-8"):
        rows_of(tmp_path, "image,text\na,b\n".encode("utf-16"))


def test_json_lines(tmp_path: Path) -> None:
    lines = [b'{"image": "a", "text": "x"}', b"{broken", b"[1]", b'{"image": "\xff"}', b"", b"[" * 5000]
    rows = rows_of(tmp_path, b"\n".join(lines), ".jsonl")
    assert [row.position for row in rows] == ["line 1", "line 2", "line 3", "line 4", "line 6"]
    assert [row.reason.split(":")[0] for row in rows if isinstance(row, Rejected)] == [
        "malformed row",
        "malformed row",
        "not UTF-8",
        "malformed row",
    ]


@quick
@given(st.lists(st.tuples(st.text(min_size=1), st.text())))
def test_whatever_csv_writes_comes_back(tmp_path: Path, rows: list[tuple[str, str]]) -> None:
    kept = [row for row in rows if all(map(is_unicode, row)) and "".join(row).strip()]
    buffer = io.StringIO(newline="")
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows([("image", "text"), *kept])
    found = rows_of(tmp_path, buffer.getvalue().encode())
    assert [tuple(row.values.values()) for row in found if isinstance(row, Row)] == kept


@quick
@given(st.binary(max_size=300))
def test_no_bytes_crash_and_no_line_is_lost(tmp_path: Path, data: bytes) -> None:
    assume(data.count(0) * 5 <= len(data))  # or it is refused as a whole, as UTF-16
    body = data.replace(b'"', b"").replace(b"\r", b"")
    found = rows_of(tmp_path, b"image,text\n" + body)
    decoded = body.decode("utf-8", "surrogateescape")
    assert len(found) == sum(bool(line.strip()) for line in decoded.split("\n"))
    rows_of(tmp_path, b"image,text\n" + data)
    with suppress(CorpusError):  # it may begin with the mark of UTF-16
        rows_of(tmp_path, data, ".jsonl")


@quick
@given(
    st.lists(st.one_of(st.binary(max_size=40), st.builds(lambda text: json.dumps({"image": text}).encode(), st.text())))
)
def test_each_json_line_is_one_row(tmp_path: Path, lines: list[bytes]) -> None:
    assume(sum(line.count(0) for line in lines) * 5 <= sum(map(len, lines)))
    lines = [line.replace(b"\n", b"").replace(b"\r", b"") for line in lines]
    found = rows_of(tmp_path, b"\n" + b"\n".join(lines), ".jsonl")
    assert len(found) == sum(bool(line.decode("utf-8", "surrogateescape").strip()) for line in lines)


def of(kind: Any, records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


# rows whose quotes never close
@pytest.mark.parametrize("line", ['a"b,"\n', 'a","\n', '"""x\n', '"\n', 'a,"b\n', '",x,"\n', 'x,"""\n'])
def test_lines_are_not_read_again_and_again(tmp_path: Path, line: str) -> None:
    began = time.process_time()
    found = rows_of(tmp_path, ("image,text\n" + line * 20_000).encode())
    assert time.process_time() - began < 10
    assert found


def test_a_quoted_row_may_span_some_lines(tmp_path: Path) -> None:
    for count, kept in ((ROW_LINES - 1, 1), (ROW_LINES + 1, 0)):
        found = rows_of(tmp_path, b'image,text\na,"' + b"\n" * count + b'"\n')
        assert len(of(Row, found)) == kept  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".tsv"])
def test_a_line_without_end_costs_itself(tmp_path: Path, suffix: str) -> None:
    head = {".csv": b"image,text\n", ".tsv": b"image\ttext\n", ".jsonl": b""}[suffix]
    good = {".csv": b"a,b", ".tsv": b"a\tb", ".jsonl": b'{"image": "a"}'}[suffix]
    for length in (ROW_BYTES, ROW_BYTES + 1, 3 * ROW_BYTES):
        found = rows_of(tmp_path, head + b"x" * length + b"\n" + good + b"\n", suffix)
        assert [type(row) for row in found] == [Rejected, Row], length


@quick
@given(st.lists(st.lists(st.sampled_from(['"', ",", "a", '""', ' "', "é"]), max_size=6).map("".join), max_size=12))
def test_rows_of_sound_csv_survive_any_neighbour(tmp_path: Path, lines: list[str]) -> None:
    found = rows_of(tmp_path, "\n".join(["image,text", *lines, "", "good,row", ""]).encode())
    open_at_end = any('"' in line for line in lines)
    assert open_at_end or any(isinstance(row, Row) and row.values == {"image": "good", "text": "row"} for row in found)


# altered texts
@pytest.mark.parametrize("field", [r'"he said \"nice light\" to me"', '"he said "nice" to me"', '"a" b'])
def test_quotes_within_quotes_are_not_guessed(tmp_path: Path, field: str) -> None:
    found = rows_of(tmp_path, f"image,text\na,{field}\nb,good\n".encode())
    assert [type(row) for row in found] == [Rejected, Row]


def test_a_key_that_stands_twice_costs_its_row(tmp_path: Path) -> None:
    found = rows_of(tmp_path, b'{"image": "a", "text": "b", "text": "c"}\n{"image": "a"}\n', ".jsonl")
    assert [type(row) for row in found] == [Rejected, Row]
