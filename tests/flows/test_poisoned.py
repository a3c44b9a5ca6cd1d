"""Each of twelve corruptions is refused by the stage that meets it, run as the flow runs it, and never tried again."""

import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from flows import process
from flows.stage import StageFailed, raise_for, results
from photocritic.core.environment import environment
from photocritic.sample.export import write
from tests import poisons

pytestmark = [pytest.mark.xdist_group("pipeline"), pytest.mark.timeout(1800)]  # the whole chain, on busy machines

IMAGES, COMMENTS = "data/ingest/images.parquet", "data/ingest/comments.parquet"
CAPTIONS, NGRAMS = "data/filter/captions.parquet", "data/filter/ngrams.parquet"
TOPICS, FEATURES = "data/lda/topics.parquet", "data/features/weak.parquet"


@pytest.fixture(scope="module")
def workspace(finished, tmp_path_factory):
    return finished.copy(tmp_path_factory.mktemp("poisoned") / "project")


@pytest.fixture
def restored(finished, workspace):
    """Give the workspace, and put back afterwards what the test has spoiled and DVC has taken away."""
    yield workspace.folder
    for name in ("data", "reports"):
        shutil.rmtree(workspace.folder / name)
        shutil.copytree(finished.folder / name, workspace.folder / name, copy_function=os.link, symlinks=True)
    shutil.copy(finished.folder / "params.yaml", workspace.folder / "params.yaml")


def refusal(folder: Path, stage: str) -> str:
    """Run a stage as the flow does, and give what the flow would say of it."""
    command = [sys.executable, "-m", "dvc", "repro", "--single-item", stage]
    before = results(folder)
    done = process.run(command, lambda _: None, folder, environment())
    with pytest.raises(StageFailed) as refused:
        raise_for(stage, *done, before, folder)
    return str(refused.value)


@pytest.mark.parametrize(
    ("stage", "table", "spoil", "words"),
    [
        pytest.param(
            "filter", COMMENTS, poisons.values("text", None), "text: expected a value in every row", id="nulls"
        ),
        pytest.param(
            "filter", COMMENTS, poisons.repeated(), "comment_id: expected no value twice", id="duplicated ids"
        ),
        pytest.param(
            "lda", CAPTIONS, poisons.swapped("tokens", "ngrams"), "tokens_are_of_the_text", id="swapped columns"
        ),
        pytest.param(
            "lda", CAPTIONS, poisons.values("score", -3.0), "score: expected at least 0", id="negative scores"
        ),
        pytest.param(
            "cnn_pretrain@weak",
            TOPICS,
            poisons.vectors("topics", lambda shares: shares * 1.2),
            "topics_sum: expected at least 0.999",
            id="topics not summing to 1",
        ),
        pytest.param(
            "lstm_train@cws",
            FEATURES,
            poisons.vectors("vector", lambda numbers: np.where(numbers == numbers[0, 0], np.nan, numbers)),
            "vector_sum: expected numbers alone",
            id="NaN features",
        ),
        pytest.param(
            "predict@cws",
            FEATURES,
            poisons.vectors("vector", lambda some: some[:, :64]),
            "expected 512",
            id="wrong dimension",
        ),
        pytest.param(
            "evaluate", IMAGES, poisons.leaked(image_id="copy"), "each picture in one split", id="leaked images"
        ),
        pytest.param("augment", CAPTIONS, poisons.emptied(), "rows: expected 1 or more", id="empty table"),
        pytest.param("lda", NGRAMS, poisons.cut(0.7), "truncated or damaged", id="truncated Parquet"),
        pytest.param(
            "augment",
            CAPTIONS,
            poisons.typed("score", pa.string()),
            "score: expected a column of type",
            id="wrong dtype",
        ),
        pytest.param("filter", COMMENTS, poisons.latin("text"), "not_utf8: expected UTF-8", id="mixed encodings"),
    ],
)
def test_a_poisoned_table_is_refused_once_and_for_all(restored, stage, table, spoil, words):
    spoil(restored / table)
    message = refusal(restored, stage)
    assert table in message
    assert words in message
    assert "Traceback" not in message
    assert not [path for path in (restored / "data").rglob(".*") if path.name not in {".gitignore", ".generations"}]


def test_a_corpus_in_mixed_encodings_is_refused_with_its_first_bad_row(restored, workspace):
    write(restored / "corpus", 30, 3)
    comments = restored / "corpus" / "comments.jsonl"
    lines = comments.read_text("utf-8").splitlines()
    encodings = ("utf-8", "latin-1", "cp1252")
    rows = [
        line.replace('"text": "', '"text": "Très ').encode(encodings[n % 3], "replace") for n, line in enumerate(lines)
    ]
    comments.write_bytes(b"\n".join(rows) + b"\n")
    workspace.params({"ingest": {"reader": "folder", "source": "corpus"}})
    message = refusal(restored, "ingest")
    assert "gate of table 'quarantine' failed" in message
    assert "most for: not UTF-8" in message
    assert "comments.jsonl, line 2" in message
    assert not list((restored / "data" / "ingest").glob("*.parquet"))
