"""Small corpora, and a gate that stays open where a test is about something else."""

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from PIL import Image as Pillow

from photocritic.config import IngestParams
from photocritic.core.outcome import Outcome
from photocritic.ingest import ingest, readers
from photocritic.ingest.records import Record

REAL = Path(os.environ.get("PHOTOCRITIC_CORPORA", Path(__file__).parents[3] / "shared" / "corpora"))


def encoded(
    colour: tuple[int, int, int] = (200, 30, 30), size: tuple[int, int] = (24, 16), form: str = "JPEG"
) -> bytes:
    buffer = io.BytesIO()
    Pillow.new("RGB", size, colour).save(buffer, form)
    return buffer.getvalue()


@pytest.fixture
def picture() -> Callable[..., bytes]:
    """Encode an image of one colour."""
    return encoded


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Make a folder with three images and a CSV of four comments."""
    root = tmp_path / "corpus"
    (root / "images").mkdir(parents=True)
    for number in range(3):
        (root / "images" / f"{number}.jpg").write_bytes(encoded((40 * number, 80, 120)))
    rows = ["image,text", "0.jpg,lovely light", "0.jpg,strong lines", '1.jpg,"soft, warm"', "2.jpg,too dark"]
    (root / "comments.csv").write_text("\n".join(rows) + "\n")
    return root


@pytest.fixture
def open_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the data checks out; they take seconds and have tests of their own."""
    monkeypatch.setattr("photocritic.validation.check", lambda *args, **facts: None)


@pytest.fixture
def take_in(tmp_path: Path, open_gate: None) -> Callable[..., tuple[Outcome, dict[str, list[dict[str, Any]]]]]:
    """Run ingest and give back its outcome and the rows of each table."""

    def run(source: Path, out: str = "out", **params: Any) -> Any:
        settings = IngestParams(**{"reader": "folder", "source": str(source), "max_quarantined": 1.0, **params})
        outcome = ingest(settings, tmp_path / out)
        files = sorted((tmp_path / out).glob("*.parquet"))
        return outcome, {path.stem: pq.read_table(path).to_pylist() for path in files}

    return run


@pytest.fixture
def read() -> Callable[..., list[Record]]:
    """Run a reader alone."""

    def run(reader: str, source: Path, **params: Any) -> list[Record]:
        settings = IngestParams.model_validate({"reader": reader, "source": str(source), **params})
        return list(readers.get(reader).read(source, settings, 7))

    return run


@pytest.fixture
def write_json() -> Callable[[Path, Any], Path]:
    """Write a JSON document."""

    def write(path: Path, value: Any) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")
        return path

    return write


@pytest.fixture
def real() -> Path:
    """Return the folder of real corpora, or skip the test."""
    if not REAL.is_dir():
        pytest.skip("no real corpora at hand")
    return REAL
