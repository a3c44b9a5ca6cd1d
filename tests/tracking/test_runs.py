"""Tracking: stages of one pipeline stand under one parent, with their numbers, inputs and failures."""

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from mlflow import MlflowClient

from photocritic import tracking
from photocritic.core.outcome import Outcome


@pytest.fixture
def client(tmp_path, monkeypatch, empty_store):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setattr(
        tracking.mlflow_store, "STORE", tmp_path / "mlruns"
    )  # whole: MLflow keeps a store open by its address
    shutil.copytree(empty_store, tmp_path / "mlruns")
    (tmp_path / "params.yaml").write_text("seed: 7\nlda:\n  topics: 3\n  options: {}\n")

    def runs():
        client = MlflowClient(tracking_uri=tracking.uri())
        return client.search_runs([client.get_experiment_by_name(tracking.EXPERIMENT).experiment_id])

    return runs


def test_stages_share_a_parent_that_carries_the_headline(client, tmp_path):
    pq.write_table(pa.table({"image_id": ["a", "b"]}), tmp_path / "table.parquet")
    about = {"corpus": "folder", "preset": ""}
    with tracking.stage_run("lda", {"lda": {"topics": 3}}, [tmp_path / "table.parquet"], about) as run:
        run.on_epoch(0, {"loss": 2.0})
        run.on_epoch(1, {"loss": 1.0})
    with tracking.stage_run("evaluate", {}, []) as run:
        run.log_outcome(Outcome(metrics={"cws.cider": 0.25}, plots={"scores": [{"x": 1, "y": 2}]}), headline=True)
    runs = {item.info.run_name: item for item in client()}
    parents = [item for name, item in runs.items() if name.startswith("pipeline-")]
    assert len(parents) == 1
    assert {runs[name].data.tags["mlflow.parentRunId"] for name in ("lda", "evaluate")} == {parents[0].info.run_id}
    assert parents[0].data.metrics == {"cws.cider": 0.25}
    assert parents[0].data.params == {"seed": "7", "lda.topics": "3", "lda.options": "{}"}
    assert {runs[name].data.tags.get("corpus") for name in ("lda", parents[0].info.run_name)} == {"folder"}
    assert not {"variant", "preset"} & runs["lda"].data.tags.keys()
    [read] = runs["lda"].inputs.dataset_inputs
    assert read.dataset.digest == runs["lda"].data.tags[f"input.{tmp_path / 'table.parquet'}"]
    assert runs["lda"].data.metrics == {"loss": 1.0}
    assert runs["lda"].data.params == {"lda.topics": "3"}
    assert any(key.startswith("input.") for key in runs["lda"].data.tags)
    assert runs["lda"].info.status == "FINISHED"


def test_what_is_compared_stands_below_its_stage_with_plain_names(client, tmp_path):
    with tracking.stage_run("evaluate", {}, [], {"corpus": "folder"}) as run:
        for name in ("ns", "cws"):
            rows = [{"image_id": "a", "variant": name, "cider_d": 0.5}]
            part = Outcome(metrics={"cider_d": 0.5}, tables={"captions": rows})
            run.add_child(name, {"captions": "raw", "lstm_train": {"model": "rnn"}}, part, {"variant": name})
    runs = {item.info.run_name: item for item in client()}
    child = runs["cws"]
    assert child.data.tags["mlflow.parentRunId"] == runs["evaluate"].info.run_id
    assert (child.info.status, child.data.metrics, child.data.tags["variant"]) == ("FINISHED", {"cider_d": 0.5}, "cws")
    assert child.data.tags["corpus"] == "folder"
    assert child.data.params == {"captions": "raw", "lstm_train.model": "rnn"}
    table = json.loads((tmp_path / "mlruns" / "artifacts" / child.info.run_id / "artifacts/captions.json").read_text())
    assert table == {"columns": ["image_id", "variant", "cider_d"], "data": [["a", "cws", 0.5]]}


def test_a_failed_stage_is_recorded_with_its_reason(client):
    with pytest.raises(ValueError, match="broken"), tracking.stage_run("lda", {}, []):
        raise ValueError("broken")
    run = next(item for item in client() if item.info.run_name == "lda")
    assert (run.info.status, run.data.tags["error"]) == ("FAILED", "broken")


def test_other_params_are_another_pipeline(client, tmp_path):
    with tracking.stage_run("lda", {}, []):
        pass
    (tmp_path / "params.yaml").write_text("seed: 8\n")
    with tracking.stage_run("lda", {}, []):
        pass
    assert sum(item.info.run_name.startswith("pipeline-") for item in client()) == 2


def test_each_run_of_a_flow_is_another_pipeline(client, monkeypatch):
    for run in ("first", "second", "second"):
        monkeypatch.setenv(tracking.PIPELINE, run)
        with tracking.stage_run("lda", {}, []):
            pass
    names = [item.info.run_name for item in client() if item.info.run_name.startswith("pipeline-")]
    assert sorted(name.split("-")[1] for name in names) == ["first", "second"]


def test_a_damaged_table_is_left_to_its_gate(client, tmp_path):
    table = tmp_path / "comments.parquet"
    table.write_bytes(b"PAR1 and no more")
    with tracking.stage_run("filter", {}, [table]):
        pass
    run = next(item for item in client() if item.info.run_name == "filter")
    assert run.info.status == "FINISHED"
    assert not run.inputs.dataset_inputs


def test_a_corpus_of_any_name_is_recorded(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = 'my photos (2)/../été, "best".json'
    (tmp_path / "my photos (2)").mkdir()
    Path(name).write_text("[]", encoding="utf-8")
    with tracking.stage_run("ingest", {}, [Path(name)]) as run:
        pass
    client = MlflowClient(tracking_uri=f"sqlite:///{tmp_path}/mlruns/mlflow.db")
    tags = client.get_run(run.run_id).data.tags
    assert [key for key in tags if key.startswith("input.")] == ["input.été_ _best_.json"]
