"""What a run says it comes from: code, DVC's state, corpus, and the tables that it reads."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from photocritic.core.files import sha256
from photocritic.tracking.datasets import described
from photocritic.tracking.provenance import corpus_tags, input_digests, revision_tags

LOCK = """\
schema: '2.0'
stages:
  ingest:
    cmd: x
    deps:
    - {path: corpus, md5: abc.dir}
    - {path: stages/ingest.py, md5: def}
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return a folder under git with a lock and a table of metrics."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DVC_EXP_NAME", raising=False)
    (tmp_path / "reports").mkdir()
    for name in ("dvc.lock", "dvc.yaml", "params.yaml", "reports/metrics.json"):
        (tmp_path / name).write_text(LOCK if name == "dvc.lock" else "{}")
    subprocess.run(["git", "init", "--quiet"], check=True)
    subprocess.run(["git", "add", "."], check=True)
    words = ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "--quiet", "--message", "x"]
    subprocess.run(["git", *words], check=True)
    return tmp_path


def test_the_revision_is_dirty_by_the_code_and_not_by_what_runs_write(project, monkeypatch):
    tags = revision_tags()
    assert len(tags["git_commit"]) == 40
    assert tags["dvc_revision"] == tags["git_commit"][:12]
    assert tags["dvc_lock"] == sha256(project / "dvc.lock")[:16]
    assert "dvc_experiment" not in tags
    for name in ("dvc.lock", "params.yaml", "reports/metrics.json"):
        (project / name).write_text("{a: 1}")
    later = revision_tags()
    assert later["dvc_revision"] == tags["dvc_revision"]
    assert later["dvc_lock"] != tags["dvc_lock"]
    (project / "dvc.yaml").write_text("{a: 1}")
    monkeypatch.setenv("DVC_EXP_NAME", "wild-wren")
    assert revision_tags()["dvc_revision"] == f"{tags['dvc_revision']}-dirty"
    assert revision_tags()["dvc_experiment"] == "wild-wren"


def test_the_corpus_has_the_digest_that_dvc_has_locked(project):
    assert corpus_tags("folder", "corpus") == {
        "corpus": "folder",
        "corpus_source": "corpus",
        "corpus_digest": "abc.dir",
    }
    assert corpus_tags("folder", "another") == {"corpus": "folder", "corpus_source": "another"}
    (project / "dvc.lock").unlink()
    assert "corpus_digest" not in corpus_tags("folder", "corpus")


def test_what_a_stage_reads_has_a_digest_without_reading_a_corpus_again(project):
    (project / "corpus").mkdir()
    (project / "corpus" / "photo.jpg").write_bytes(b"x")
    (project / "new").mkdir()
    for name in ("small.json", "table.parquet"):
        (project / name).write_bytes(b"y")
    paths = {name: Path(name) for name in ("corpus", "new", "small.json", "table.parquet", "absent")}
    digest = sha256(project / "table.parquet")[:16]
    found = input_digests(paths.values())
    assert found == {paths["corpus"]: "abc.dir", paths["small.json"]: digest, paths["table.parquet"]: digest}


def test_outside_a_repository_nothing_is_claimed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.delenv("DVC_EXP_NAME", raising=False)
    assert revision_tags() == {}


def test_a_dataset_has_the_files_digest_columns_and_rows_and_a_source_that_mlflow_can_open(tmp_path):
    from mlflow.data import get_source
    from mlflow.types import Schema

    path = tmp_path / "ingest" / "images.parquet"
    path.parent.mkdir()
    vectors = pa.FixedSizeListArray.from_arrays(np.zeros(9, np.float32), 3)
    columns = {"image_id": ["a", "b", "c"], "split": ["train", "val", "train"], "width": [1, 2, 3], "vector": vectors}
    pq.write_table(pa.table(columns), path)
    dataset = described(path, "training")
    assert (dataset.dataset.name, dataset.dataset.digest) == ("ingest/images", sha256(path)[:16])
    assert json.loads(dataset.dataset.profile) == {"num_rows": 3, "num_train": 2, "num_val": 1}
    assert [(tag.key, tag.value) for tag in dataset.tags] == [("mlflow.data.context", "training")]
    schema = Schema.from_json(json.dumps(json.loads(dataset.dataset.schema)["mlflow_colspec"]))
    assert schema.input_names() == list(columns)
    assert get_source(dataset.dataset).load() == str(path)
