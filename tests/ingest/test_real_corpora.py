"""Real corpora, where they are at hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

TakeIn = Callable[..., Any]


def test_dpc(real: Path, take_in: TakeIn) -> None:
    outcome, _ = take_in(real / "dpc", reader="dpc")
    assert (outcome.metrics["images"], outcome.metrics["comments"]) == (11_432, 13_412)
    assert outcome.metrics["rows_quarantined"] == 0


def test_pccd(real: Path, take_in: TakeIn) -> None:
    outcome, tables = take_in(real / "pccd", reader="pccd")
    assert outcome.metrics["images"] == 848
    assert outcome.metrics["comments"] + outcome.metrics["quarantined_empty_text"] == 848 * 7
    assert {row["source"].split(":")[0] for row in tables["comments"]} == {"pccd"}


def test_flickr8k(real: Path, take_in: TakeIn) -> None:
    styles = {"humorous": "humorous.csv", "romantic": "romantic.csv"}
    files = {"comments": "noisy_comments.jsonl", "references": "captions.csv", "styles": styles}
    outcome, tables = take_in(real / "flickr8k", limit=200, **files)
    assert len(tables["images"]) == 200
    assert len(tables["references"]) == 1_000
    assert outcome.metrics["styled_comments"] == 400
    assert outcome.metrics["rows_quarantined"] == 0
