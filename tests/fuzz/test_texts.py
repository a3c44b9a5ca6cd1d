"""A short part of the fuzzing of texts, the same in every run, and that the fuzzing itself would notice a failure."""

import random
from collections import Counter
from pathlib import Path

import pytest

from photocritic.ingest import readers
from tests.fuzz.texts import attempt, damaged, fuzz, seeds


def test_damaged_texts_end_in_records_or_one_line() -> None:
    counts, failures, memory = fuzz(1_000, 14)
    assert not failures
    assert counts.total() == 1_000
    assert min(counts["records"], counts["rejected"], counts["CorpusError"]) > 100
    assert memory < 1 << 20


def test_every_reader_of_files_is_fuzzed_and_reads_its_seeds(tmp_path: Path) -> None:
    known = seeds()
    assert {reader for reader, _, _ in known} == set(readers.names()) - {"sample"}
    found = Counter(damaged(content, random.Random(1), [content]) != content for _, _, content in known)
    assert found[True] > found[False]


def test_an_unexpected_error_counts_as_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("photocritic.ingest.readers.folder.find_files", lambda *_: 1 / 0)
    assert attempt("folder", tmp_path).startswith("FAILED ZeroDivisionError")
