"""JSON documents made to do harm: depth, halves of characters, and odd numbers."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from photocritic.core.errors import CorpusError
from photocritic.core.limits import JSON_DEPTH
from photocritic.ingest.parsing.json_documents import items, pairs
from photocritic.ingest.parsing.rows import Row, read_rows
from photocritic.ingest.records import Comment, Record, Rejected

Read = Callable[..., list[Record]]


quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)


def of(kind: Any, records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def rows_of(folder: Path, data: bytes, suffix: str = ".csv") -> list[Row | Rejected]:
    path = folder / f"rows{suffix}"
    path.write_bytes(data)
    return list(read_rows(path, path.name, "comment"))


# how deep JSON may be
@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_deep_json_is_refused_at_once(tmp_path: Path, read: Read, opening: str) -> None:
    deep = opening * 20_000
    (tmp_path / "deep.json").write_text(f'{{"a.jpg": ["fine"], "b.jpg": {deep}')
    began = time.process_time()
    with pytest.raises(CorpusError, match=rf"deep\.json: nested more than {JSON_DEPTH} deep"):
        read("dpc", tmp_path / "deep.json")
    found = rows_of(tmp_path, f'{{"image": "a", "text": {deep}\n{{"image": "a"}}\n'.encode(), ".jsonl")
    assert [type(row) for row in found] == [Rejected, Row]
    assert time.process_time() - began < 2


@quick
@given(st.lists(st.text(st.sampled_from(["\\", "u", "d", "8", "3", '"', "\ud83d", "\ude00", "a", "é"])), max_size=8))
def test_escapes_across_blocks_of_a_document(tmp_path: Path, texts: list[str]) -> None:
    """Half a character is distinguished from a whole one wherever the file is cut into blocks."""
    path = tmp_path / "x.json"
    for shift in (0, 65_530 - len(json.dumps(texts))):
        path.write_text(json.dumps({"a": ["x" * shift, *texts]}))
        [(_, found)] = pairs(path)
        whole = json.loads(path.read_text())["a"]
        clean = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in whole]
        assert [text.replace("\ufdd0", "\ufffd") for text in found] == clean


def test_half_a_character_in_a_document_costs_one_text(corpus: Path, read: Read) -> None:
    (corpus / "c.json").write_text(r'{"0.jpg": ["a \ud83d", "b \ud83d\ude00", "c \\ud83d", "\ude00"]}')
    records = read("dpc", corpus / "c.json")
    assert [item.text for item in of(Comment, records)] == ["b 😀", r"c \ud83d"]
    assert [item.reason for item in of(Rejected, records)] == ["not UTF-8"] * 2


@pytest.mark.parametrize("value", ["1" * 5_000, "NaN", "1e999", "9" * 30])
def test_odd_numbers_in_a_document_are_reported(tmp_path: Path, value: str) -> None:
    (tmp_path / "x.json").write_text(f'[{{"a": {value}}}]')
    with pytest.raises(CorpusError, match=r"x\.json: "):
        list(items(tmp_path / "x.json", "item"))
