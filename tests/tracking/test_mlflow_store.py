"""The tracking store where it stands, and the runs of processes that are gone."""

import os
import resource
import shutil
import signal
from pathlib import Path

import pytest
from mlflow import MlflowClient

from photocritic import tracking
from photocritic.core.outcome import Outcome
from tests import file_watch


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_store: Path):
    """Return a function that goes to a project's folder, with an empty store where it has none."""
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)

    def go(name: str) -> Path:
        folder = tmp_path / name
        if not folder.exists():
            shutil.copytree(empty_store, folder / "mlruns")
            (folder / "params.yaml").write_text("seed: 7\n")
        monkeypatch.chdir(folder)
        monkeypatch.setattr(tracking.mlflow_store, "STORE", folder / "mlruns")
        return folder

    return go


def runs() -> dict[str, str]:
    client = MlflowClient(tracking_uri=tracking.uri())
    found = client.search_runs([client.get_experiment_by_name(tracking.EXPERIMENT).experiment_id])
    return {item.info.run_name: item.info.status for item in found if not item.info.run_name.startswith("pipeline-")}


def test_a_copied_project_keeps_its_own_artifacts(place, tmp_path: Path) -> None:  # L6
    place("original of 100% ä")
    with tracking.stage_run("lda", {}, []) as run:
        run.log_text("before", "before.txt")
    before = set(tmp_path.rglob("*.txt"))
    shutil.copytree(tmp_path / "original of 100% ä", tmp_path / "copy")
    copy = place("copy")
    with tracking.stage_run("filter", {}, []) as run:
        run.log_text("after", "after.txt")
    [written] = tmp_path.rglob("after.txt")
    assert written.is_relative_to(copy / "mlruns")
    assert len(before) == 1
    client = MlflowClient(tracking_uri=tracking.uri())
    known = client.search_runs([client.get_experiment_by_name(tracking.EXPERIMENT).experiment_id])
    assert all(item.info.artifact_uri.startswith(copy.as_uri()) for item in known)
    [old] = [item for item in known if item.info.run_name == "lda"]
    assert [one.path for one in client.list_artifacts(old.info.run_id)] == ["before.txt"]


@pytest.mark.parametrize("how", ["full disk", "kill"])
def test_a_store_in_whose_making_a_process_was_stopped_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setattr(tracking.mlflow_store, "STORE", tmp_path / "mlruns")
    made, child = tmp_path / "mlruns" / ".mlflow.staged" / "mlflow.db", os.fork()
    if not child:
        if how == "full disk":
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        try:
            tracking.mlflow_store.create_database()
        finally:
            os._exit(1)
    if how == "kill":
        file_watch.until(lambda: made.exists() and made.stat().st_size, tmp_path, child)
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert not (tmp_path / "mlruns" / "mlflow.db").exists()
    with tracking.stage_run("lda", {}, []):
        pass
    assert runs() == {"lda": "FINISHED"}
    assert not list((tmp_path / "mlruns").glob(".mlflow*"))


def test_the_run_of_a_killed_process_is_not_running_for_ever(place) -> None:  # L4
    place("project")
    child = os.fork()
    if not child:
        try:
            with tracking.stage_run("lda", {}, []):
                os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert runs() == {"lda": "RUNNING"}
    with tracking.stage_run("filter", {}, []):
        assert runs() == {"lda": "KILLED", "filter": "RUNNING"}


def test_nor_is_the_run_of_a_variant_whose_process_was_killed(place, monkeypatch) -> None:  # L4
    place("project")
    child = os.fork()
    if not child:
        try:
            with tracking.stage_run("evaluate", {}, []) as run:
                monkeypatch.setattr(tracking.Run, "log_metrics", lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
                run.add_child("cws", {}, Outcome(), {})
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert runs() == {"evaluate": "RUNNING", "cws": "RUNNING"}
    with tracking.stage_run("filter", {}, []):
        assert runs() == {"evaluate": "KILLED", "cws": "KILLED", "filter": "RUNNING"}


@pytest.mark.parametrize("name", ["first", "what is first?"])
def test_one_process_keeps_the_stores_of_two_folders_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    for folder in (tmp_path / name, tmp_path / "second"):
        folder.mkdir()
        monkeypatch.chdir(folder)
        with tracking.stage_run("lda", {}, []):
            pass
        assert list(runs()) == ["lda"]
        assert (folder / "mlruns" / "mlflow.db").is_file()
        shutil.rmtree(folder)
