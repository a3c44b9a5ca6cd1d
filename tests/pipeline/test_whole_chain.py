"""The whole DVC pipeline on a shrunken sample: what it makes, that it stands still, and that it refuses bad input."""

import json
import os
import re
import shutil
import signal
import subprocess

import pyarrow.parquet as pq
import pytest

from photocritic.core.environment import FINAL, environment
from tests import file_watch

pytestmark = [pytest.mark.xdist_group("pipeline"), pytest.mark.timeout(1800)]  # the whole chain, on busy machines

NAMES = {"ns", "cs", "cws", "instance", "assoc"}  # all that caption


def read(workspace, path):
    return pq.read_table(workspace.folder / path)


def metrics(workspace, name):
    return json.loads((workspace.folder / "reports" / "metrics" / f"{name}.json").read_text())


def test_every_comment_is_accounted_for(finished):
    comments = read(finished, "data/ingest/comments.parquet")
    captions = read(finished, "data/filter/captions.parquet")
    assert comments["comment_id"].to_pylist() == captions["comment_id"].to_pylist()
    reasons = captions["reason"].to_pylist()
    assert 0 < sum(reason == "" for reason in reasons) < len(reasons)
    assert all((reason == "") == kept for reason, kept in zip(reasons, captions["kept"].to_pylist(), strict=True))


def test_images_have_topics_features_and_captions_of_every_variant(finished):
    images = read(finished, "data/ingest/images.parquet").to_pylist()
    validation, test = ({row["image_id"] for row in images if row["split"] == split} for split in ("val", "test"))
    assert len(images) == 90
    assert validation
    assert test
    for feature in ("weak", "labels"):
        features = read(finished, f"data/features/{feature}.parquet")
        assert set(features["image_id"].to_pylist()) == {row["image_id"] for row in images}
    assert read(finished, "data/lda/topics.parquet").schema.field("topics").type.list_size == 4
    predictions = read(finished, "data/predictions/predictions.parquet").to_pylist()
    assert {row["variant"] for row in predictions} == NAMES
    predicted = {row["image_id"] for row in predictions}
    assert predicted <= validation | test
    assert predicted & validation
    assert predicted & test


def test_the_report_stands_alone(finished):
    report = (finished.folder / "reports" / "report.html").read_text()
    assert not re.search(r"""(?:src|href)=["']?https?://""", report)
    assert "data:image/" in report
    assert all(variant in report for variant in NAMES)


def test_every_plot_that_is_defined_is_drawn(finished):
    done = finished.run("-m", "dvc", "plots", "show", "--json")
    found = json.loads(done.stdout)
    assert not found.get("errors")
    drawn = {path for path, pictures in found["data"].items() if pictures}
    assert {f"reports/plots/evaluate/{name}.json" for name in ("metrics", "unique_ngrams")} <= drawn
    assert {f"reports/plots/filter/{name}.json" for name in ("funnel", "reasons", "scores")} <= drawn
    assert {f"reports/plots/lstm_train/{name}/learning_curve.json" for name in ("ns", "cs", "cws")} <= drawn


def test_the_command_ends_by_telling_where_to_look(finished):
    assert "report.html" in finished.told
    assert "cws" in finished.told
    assert finished.told.count("\n  ") >= 3


def test_the_runs_stand_under_one_parent(finished):
    from mlflow import MlflowClient

    client = MlflowClient(tracking_uri=f"sqlite:///{finished.folder}/mlruns/mlflow.db")
    runs = client.search_runs([client.get_experiment_by_name("photocritic").experiment_id])
    parents = [run for run in runs if "mlflow.parentRunId" not in run.data.tags]
    assert len(parents) == 1
    names = {run.info.run_name for run in runs} - {parents[0].info.run_name}
    assert {
        "ingest",
        "filter",
        "associate",
        "lda",
        "cnn_pretrain@weak",
        "lstm_train@cws",
        "predict@ns",
        "retrieve@assoc",
        "evaluate",
        "report",
        "promote",
        "augment",
    } <= names
    by_name = {run.info.run_name: run for run in runs}
    about = ("git_commit", "corpus", "corpus_source", "preset")
    known = [key for key in about if key in parents[0].data.tags]
    assert {"corpus", "corpus_source", "preset"} <= set(known)
    for name in ("ingest", "lstm_train@cws", "evaluate", "cws"):
        assert {key: by_name[name].data.tags[key] for key in known} == {key: parents[0].data.tags[key] for key in known}
    read = [one.dataset.name for one in by_name["lstm_train@cws"].inputs.dataset_inputs]
    assert set(read) == {"ingest/images", "filter/captions", "features/weak"}
    headline = metrics(finished, "evaluate")["cws.cider_d"]
    assert parents[0].data.metrics["cws.cider_d"] == pytest.approx(headline, abs=1e-5)
    assert all(run.info.status == "FINISHED" for run in runs)
    variants = {run.info.run_name: run.data.metrics for run in runs if run.info.run_name in NAMES}
    assert variants["cws"]["cider_d"] == pytest.approx(headline, abs=1e-5)
    [version] = client.search_model_versions("name = 'photocritic'")
    assert client.get_model_version_by_alias("photocritic", "champion").version == version.version
    assert float(version.tags["cider_d"]) == max(numbers["cider_d"] for numbers in variants.values())


def test_a_second_run_changes_nothing(finished):
    before = (finished.folder / "dvc.lock").read_bytes()
    done = finished.run("-m", "photocritic.cli", "run")
    assert "Running stage" not in done.stdout
    assert "report: file://" in done.stdout
    assert (finished.folder / "dvc.lock").read_bytes() == before


@pytest.mark.parametrize("door", [("-m", "photocritic.cli", "run"), ("-m", "dvc", "repro")])
def test_what_another_preset_has_left_changes_nothing(finished, tmp_path, door):
    workspace = finished.copy(tmp_path / "leftovers")
    data = workspace.folder / "data"
    (data / "features" / "imagenet.parquet").write_bytes(b"of another preset")
    for stage in ("cnn_pretrain", "lstm_train", "predict"):
        shutil.copytree(data / stage / ("weak" if stage == "cnn_pretrain" else "cws"), data / stage / "other")
    shutil.copytree(data / "predict" / "cws", data / "predict" / "another")
    done = workspace.run(*door)
    assert re.findall(r"Running stage '(.*)'", done.stdout) == ["predictions"]  # which looks at all that is predicted
    assert (workspace.folder / "dvc.lock").read_bytes() == (finished.folder / "dvc.lock").read_bytes()


def test_a_run_that_is_restored_promotes_as_one_that_has_run(finished, tmp_path):
    from mlflow import MlflowClient

    workspace = finished.copy(tmp_path / "restored")  # without the tracking store
    for folder in ("data", "reports"):
        shutil.rmtree(workspace.folder / folder)
    done = workspace.run("-m", "photocritic.cli", "run")
    assert "Running stage" not in done.stdout
    client = MlflowClient(tracking_uri=f"sqlite:///{workspace.folder}/mlruns/mlflow.db")
    assert str(client.get_model_version_by_alias("photocritic", "champion").version) == "1"
    told = workspace.run("-m", "photocritic.cli", "promote").stdout
    assert "the champion already, version 1" in told


def test_another_style_sheet_draws_the_report_again_and_nothing_else(finished, tmp_path):
    workspace = finished.copy(tmp_path / "styled")
    with (workspace.folder / "src/photocritic/report/templates/report.css").open("a") as sheet:
        sheet.write("/* wider */")
    assert set(json.loads(workspace.run("-m", "dvc", "status", "--json").stdout)) == {"report"}


def test_folders_of_photographs_are_captioned(finished, tmp_path):
    from photocritic.sample import generate

    folder = tmp_path / "photographs"
    folder.mkdir()
    for number, scene in enumerate(generate(3, seed=99)):
        (folder / f"{number}.jpg").write_bytes(scene.image)
    (folder / "broken.jpg").write_bytes(b"not an image")
    out = tmp_path / "captions.jsonl"
    finished.run("-m", "photocritic.cli", "caption", str(folder), "--variant", "cws", "--out", str(out))
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["image"] for row in rows] == ["0.jpg", "1.jpg", "2.jpg"]
    assert all(row["caption"] for row in rows)
    refused = finished.run("-m", "photocritic.cli", "caption", str(folder), "--variant", "nws", check=False)
    assert refused.returncode == 1
    assert "nws" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("stage", "table", "column"),
    [
        ("lda", "data/filter/captions.parquet", "score"),
        ("evaluate", "data/ingest/images.parquet", "split"),
    ],
)
def test_a_table_edited_between_stages_is_refused(finished, tmp_path, stage, table, column):
    workspace = finished.copy(tmp_path / "edited")
    path = workspace.folder / table
    edited = pq.read_table(path)
    path.unlink()  # it may be linked to DVC's cache
    pq.write_table(edited.drop_columns([column]), path)
    done = workspace.run("-m", f"stages.{stage}", check=False)
    assert done.returncode == FINAL
    assert f"{path.name}: {column}" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("stage", ["cnn_pretrain@weak", "lstm_train@cws"])
def test_a_killed_training_goes_on_and_ends_alike(finished, tmp_path, stage):
    workspace = finished.copy(tmp_path / "killed")
    name, _, item = stage.partition("@")
    out = "data/features/weak.parquet" if name == "cnn_pretrain" else "data/lstm_train/cws/model/weights.safetensors"
    before = (finished.folder / out).read_bytes()
    checkpoints = workspace.folder / "checkpoints" / stage
    checkpoints.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        [str(workspace.python), "-m", "stages.start", name, item],  # as stages/run does
        cwd=workspace.folder,
        env=environment(),
        start_new_session=True,
    )
    file_watch.until(lambda: list(checkpoints.glob("[!.]*.pt")), workspace.folder / "checkpoints", process.pid)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    done = workspace.run("-m", "stages.start", name, item)
    assert "resum" in done.stderr.lower()
    assert (workspace.folder / out).read_bytes() == before
    assert not list(checkpoints.glob("[!.]*.pt"))


def test_a_filter_that_keeps_nothing_stops_the_chain_at_lda(finished, tmp_path):
    workspace = finished.copy(tmp_path / "hopeless")
    workspace.params({"filter": {"threshold": 1e6}})
    done = workspace.run("-m", "dvc", "repro", check=False)
    assert done.returncode != 0
    assert f"exited with {FINAL}" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Running stage 'cnn_pretrain" not in done.stdout
    assert "has a kept caption; lower filter.threshold" in done.stderr


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"lda": {"topics": 100_000}}, ["lda.topics", "vocabulary"]),
        ({"filter": {"treshold": 20}}, ["filter.treshold", "'threshold'"]),
        ({"filter": {"threshold": "abc"}}, ["filter.threshold", "abc"]),
        ({"ingest": {"reader": "folder", "source": "no/such/folder"}}, ["no/such/folder"]),
    ],
)
def test_what_cannot_work_is_told_in_one_line(finished, tmp_path, changes, words):
    workspace = finished.copy(tmp_path / "wrong")
    workspace.params(changes)
    done = workspace.run("-m", "photocritic.cli", "run", check=False)
    told = done.stdout + done.stderr
    assert done.returncode != 0
    assert "Traceback" not in told
    assert any(all(word in line for word in words) for line in told.splitlines()), told
