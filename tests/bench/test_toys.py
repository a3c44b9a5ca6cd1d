"""Every benchmark runs, at a toy size, and gives numbers."""

import math

import pytest

from bench import __main__ as everything
from bench import corpora
from bench.measuring import Row, measured, table


def test_all_benchmarks_are_found():
    assert everything.names() == ["filter", "flow", "metrics", "scale", "topics", "train"]


@pytest.mark.parametrize("name", everything.names())
def test_a_benchmark_runs_at_a_toy_size(name):
    rows = everything.run([name], "toy")
    assert rows
    for row in rows:
        assert row.what
        assert isinstance(row.value, str) or math.isfinite(row.value)


def test_the_page_tells_the_machine_and_each_number():
    page = everything.page([Row("beam search", 12.5, "images/s", "3 times")])
    assert "| beam search | 12.5 | images/s | 3 times |" in page
    assert " cores of " in page
    assert ", commit " in page


def test_a_process_is_measured_with_what_it_starts():
    hold = "held = bytearray(60_000_000); import time; time.sleep(0.5)"
    start = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {hold!r}])"
    used = measured(["python3", "-c", start])
    assert used.memory > 60_000_000 / 2**30
    assert used.seconds >= 0.5


def test_a_made_corpus_is_the_same_again_and_has_all_its_images(tmp_path):
    for name in ("one.csv", "other.csv"):
        corpora.write(tmp_path / name, 300, 25)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()
    rows = list(corpora.made(300, 25, 7))
    assert len(rows) == 300
    assert len({image for image, _, _ in rows}) == 25
    assert len({text for _, _, text in rows}) > 250


def test_a_table_has_large_numbers_with_commas():
    assert "| rate | 1,234,567 | rows/s |" in table([Row("rate", 1234567.0, "rows/s")])
