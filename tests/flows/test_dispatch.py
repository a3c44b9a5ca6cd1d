"""Work pools on a pipeline of two stages of a second each; the real pipeline on pools is in test_team.py."""

import json
import os

import pytest

from tests.workspace import Workspace

pytestmark = [pytest.mark.xdist_group("team"), pytest.mark.timeout(1200)]


@pytest.fixture(scope="module")
def first(team, toy):
    """Retrain for the first time, which runs both stages; return the run."""
    run = team.start("retrain", revision="toy")
    state = team.ended(run)
    assert state["name"] == "Completed", (state["message"], team.summary())
    return run


def stages(team, run):
    """Return the runs of the stages that the pipeline of a retraining has started, by name."""
    [pipeline] = [one for one in team.below(run).values() if one["deployment_id"] is None]
    return team.below(pipeline["id"])


def reproduced(team, folder):
    """Reproduce the branch with plain DVC in a clone of its own; return the clone's folder."""
    team.git("clone", "-q", "-b", "toy", str(team.folder), str(folder))
    (folder / ".venv").symlink_to((team.folder / ".venv").resolve())
    Workspace(folder).run("-m", "dvc", "repro")
    return folder


def test_each_stage_runs_in_the_clone_of_its_pool_and_data_goes_by_the_remote_alone(team, first):
    found = stages(team, first)
    assert {name: one["work_pool_name"] for name, one in found.items()} == {"words": "cpu", "model": "gpu"}
    assert (team.clone("gpu") / "data/words.json").read_text() == '["light", "lovely", "soft"]'
    assert not (team.folder / "data").exists()
    assert (team.clone("cpu") / "data/model.json").is_file()
    assert list((team.folder / ".prefect/remote").rglob("*"))


def test_with_nothing_new_a_retraining_changes_nothing(team, first):
    before = team.git("rev-parse", "runs/retrain")
    run = team.start("retrain", revision="toy")
    assert team.ended(run)["name"] == "Unchanged", team.summary()
    assert team.git("rev-parse", "runs/retrain") == before
    assert not team.below(run)


def test_new_comments_are_trained_on_and_a_worker_that_is_killed_meanwhile_is_a_pause(team, toy, first, tmp_path):
    """The stage's run is found lost and started again, and ends with the lock that `dvc repro` writes undisturbed."""
    with (toy / "comments.jsonl").open("a") as stream:
        stream.write(json.dumps({"text": "harsh shadow"}) + "\n")
    pause = toy.with_suffix(".pause")
    os.mkfifo(pause)
    run = team.start("retrain", revision="toy")
    assert int(pause.read_text())  # waits until the stage waits there
    pause.unlink()
    lost = stages(team, run)["model"]
    team.kill("worker-gpu")
    team.up()
    folder = reproduced(team, tmp_path / "alone")
    assert (folder / "data/words.json").read_text() == '["harsh", "light", "lovely", "shadow", "soft"]'
    assert team.ended(lost["id"])["type"] == "CRASHED", team.summary()
    assert team.ended(run)["name"] == "Completed", team.summary()
    again = stages(team, run)["model"]
    assert again["id"] != lost["id"]
    assert any("resuming at epoch 1" in line for line in team.logs(again["id"])), team.logs(again["id"])
    assert team.git("show", "runs/retrain:dvc.lock") == (folder / "dvc.lock").read_text()
