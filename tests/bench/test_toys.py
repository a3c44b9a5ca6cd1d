"""Every benchmark runs, at a toy size, and gives numbers."""

import math

import pytest

from bench import __main__ as everything
from bench import corpora, rooms
from bench.measuring import Row, measured, table


def test_all_benchmarks_are_found():
    assert everything.names() == [
        "consensus",
        "curation",
        "descriptors",
        "filter",
        "fisher",
        "flow",
        "metrics",
        "near_duplicates",
        "rooms",
        "scale",
        "topics",
        "train",
    ]


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


def test_files_are_counted_in_which_a_function_runs_here_and_in_processes_that_are_started(tmp_path):
    start = "import subprocess, sys; from photocritic.core import environment, files, logs; environment.environment()"
    child = "from photocritic.core import redaction; redaction.redacted('x')"
    code = f"{start}; subprocess.run([sys.executable, '-c', {child!r}], check=True)"
    assert rooms.entered(["-c", code], tmp_path) == {"core/environment.py": True, "core/redaction.py": False}
    code = f"{start}; files.sha256(__import__('pathlib').Path('/dev/null')); logs.setup()"
    assert rooms.entered(["-c", code], tmp_path, "core/files.py:sha256") == {
        "core/files.py": True,
        "core/logs.py": True,
    }


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
