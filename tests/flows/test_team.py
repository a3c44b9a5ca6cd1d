"""The flows on real servers and workers, by Prefect's API: what runs where, what is run again, and what survives what.

Minutes each: run them with `-m slow`.
"""

import base64
import json
import subprocess

import httpx
import psutil
import pytest

from flows import recovery
from flows.dvc_api import read_graph
from tests.browser import browser
from tests.flows.team import FINAL

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("team"), pytest.mark.timeout(3600)]

EPOCHS = 40  # of a CNN that takes long enough to be killed in the middle


@pytest.fixture(scope="module")
def first(team):
    """Start what was stopped, and run every stage of the pipeline for the first time; return the run."""
    team.up()
    run = team.start("pipeline")
    state = team.ended(run)
    assert state["type"] == "COMPLETED", (state["message"], team.summary())
    return run


def states(team, run):
    """Return the states of a pipeline's stages by their names."""
    only = {"flow_run_id": {"any_": [run]}}
    return {one["name"]: one["state_name"] for one in team.ask("POST", "task_runs/filter", task_runs=only)}


def stages(team):
    """Return the names of all stages of the project."""
    return {node.name for node in read_graph(team.folder)}


def test_every_stage_runs_once_and_each_on_its_pool(team, first):
    found = team.below(first)
    assert set(found) == stages(team)
    assert {one["state_name"] for one in found.values()} == {"Completed"}
    pools = {name: one["work_pool_name"] for name, one in found.items()}
    assert pools["lda"] == pools["evaluate"] == "cpu"
    assert pools["cnn_pretrain@weak"] == pools["lstm_train@cws"] == pools["augment"] == "gpu"


def test_the_result_is_a_branch_that_brings_the_project_up_to_date(team, first, tmp_path):
    name = team.ask("GET", f"flow_runs/{first}")["name"]
    subprocess.run(["git", "clone", "-q", "-b", f"runs/{name}", str(team.folder), str(tmp_path / "clone")], check=True)
    clone = tmp_path / "clone"
    (clone / ".venv").symlink_to((team.folder / ".venv").resolve())
    dvc = [str(team.folder / ".venv/bin/dvc")]
    remote = str(team.folder / ".prefect/remote")
    for arguments in (["remote", "add", "--local", "-d", "exchange", remote], ["pull", "-q"]):
        subprocess.run([*dvc, *arguments], cwd=clone, check=True, capture_output=True)
    status = subprocess.run([*dvc, "status"], cwd=clone, check=True, capture_output=True, text=True)
    assert "up to date" in status.stdout
    assert (clone / "reports/report.html").is_file()


def test_a_second_run_finds_every_stage_unchanged(team, first):
    run = team.start("pipeline")
    assert team.ended(run)["type"] == "COMPLETED", team.summary()
    found = states(team, run)
    assert found == dict.fromkeys(stages(team), "Unchanged")
    assert not team.below(run)


def test_the_page_of_the_run_shows_its_stages_and_states(team, first, tmp_path):
    address = f"http://127.0.0.1:{team.ports['prefect']}/runs/flow-run/{first}"
    with browser(tmp_path) as page:
        page.size(1600, 1200)
        page.open(f"{team.address.removesuffix('/api')}/ui-settings")  # any page of the server's, to sign in by
        page.until("location.pathname === '/ui-settings'")
        page.run(f"localStorage.setItem('prefect-password', '{base64.b64encode(team.password().encode()).decode()}')")
        page.open(address)
        page.until("document.body.innerText.includes('lstm_train@cws')")
        text = page.run("document.body.innerText")
        page.picture(tmp_path / "run.png")
    assert "Completed" in text
    assert "evaluate" in text


def test_a_stages_page_has_its_gates_its_metrics_and_its_place_in_mlflow(team, first):
    shown = {one["key"]: one for one in team.artifacts()}
    assert f"127.0.0.1:{team.ports['mlflow']}" in shown["lda-mlflow"]["data"]
    assert "passed" in shown["lda-gates"]["data"]
    assert "| topics | 4 |" in shown["lda-metrics"]["data"]
    assert "cider_d" in shown["pipeline-summary"]["data"]


def test_a_cancelled_pipeline_ends_its_stages(team, first):
    run = team.start("pipeline", changes={"cnn_pretrain.epochs": 500})
    names = ("cnn_pretrain@weak", "cnn_pretrain@labels")  # one trains, the other waits for the worker's clone
    started = [team.until(lambda name=name: training_of(team, run, name))["id"] for name in names]
    training = team.until_logged("epoch 1/", *started)
    running = [one for one in psutil.process_iter(["cwd"]) if str(team.clone("gpu")) in (one.info["cwd"] or "")]
    assert running
    team.ask("POST", f"flow_runs/{run}/set_state", state={"type": "CANCELLING", "name": "Cancelling"})
    assert team.ended(run)["type"] == "CANCELLED", team.summary()
    assert team.ended(training)["type"] == "CANCELLED", team.summary()
    assert not psutil.wait_procs(running, timeout=60)[1]


def test_a_killed_worker_is_a_pause(team, first, tmp_path):
    """The stage's run is found lost, tried again, and goes on from its checkpoint to the numbers it would have had."""
    run = team.start("pipeline", changes={"cnn_pretrain.epochs": EPOCHS})
    training = team.until(lambda: training_of(team, run, "cnn_pretrain@labels"))
    team.until_logged("epoch 3/", training["id"])
    team.kill("worker-gpu")
    team.up()
    assert team.ended(training["id"])["type"] == "CRASHED", team.summary()
    assert team.ended(run)["type"] == "COMPLETED", team.summary()
    again = team.below(run)["cnn_pretrain@labels"]
    assert again["id"] != training["id"]
    assert any("resuming at epoch" in line for line in team.logs(again["id"])), team.logs(again["id"])
    assert kept(team, run) == undisturbed(team, tmp_path / "alone")


def test_a_pipeline_whose_own_worker_is_killed_goes_on_with_what_its_stages_have_done(team, first):
    run = team.start("pipeline", changes={"lstm_train.epochs": 4})
    team.until(lambda: training_of(team, run, "lstm_train@ns"))
    team.kill("worker-cpu")
    team.kill("worker-gpu")
    team.up()
    team.until(lambda: team.ask("GET", f"flow_runs/{run}")["run_count"] == 2)
    assert team.ended(run)["type"] == "COMPLETED", team.summary()
    passed = team.ask("GET", f"flow_run_states/?flow_run_id={run}")
    assert any(state["message"] == recovery.RESTARTED for state in passed)


def test_a_killed_server_is_a_pause(team, first):
    run = team.start("pipeline", changes={"lstm_train.epochs": 3})
    team.until(lambda: training_of(team, run, "lstm_train@cws"))
    team.kill("prefect")
    team.up()
    assert team.ended(run)["type"] == "COMPLETED", team.summary()


def test_a_sweep_keeps_its_points_as_experiments(team, first):
    run = team.start("sweep", grid={"augment.images": [4, 5]})
    assert team.ended(run)["type"] == "COMPLETED", team.summary()
    name = team.ask("GET", f"flow_runs/{run}")["name"]
    kept_as = team.workspace.run("-m", "dvc", "exp", "list", "--all", "--name-only").stdout.split()
    assert {f"{name}-0", f"{name}-1"} <= set(kept_as)
    [shown] = [one for one in team.artifacts() if one["key"] == f"sweep-{name}"]
    rows = json.loads(shown["data"])
    assert [row["augment.images"] for row in rows] == [4, 5]
    assert {"ns.cider_d", "cs.cider_d", "cws.cider_d"} <= set(rows[0])


def test_the_clock_retrains_only_where_comments_were_added_and_keeps_the_better_model(team, first, tmp_path):
    corpus = tmp_path / "corpus"
    team.run("-m", "photocritic.cli", "sample", "--folder", str(corpus), "--images", "90")
    nightly = team.ask("GET", "deployments/name/retrain/nightly")["id"]
    team.ask("PATCH", f"deployments/{nightly}", parameters={"corpus": str(corpus)})
    every_minute = {"schedule": {"interval": 60}, "active": True}
    team.client().post(f"deployments/{nightly}/schedules", json=[every_minute]).raise_for_status()
    retrained(team)
    team.until(lambda: newest(team)["state_name"] == "Unchanged")

    comments = corpus / "comments.jsonl"
    lines = comments.read_text(encoding="utf-8").splitlines()
    added = [json.loads(line) for line in lines[:20]]
    with comments.open("a", encoding="utf-8") as stream:
        for row in added:
            row.pop("comment_id", None)
            stream.write(json.dumps(row | {"text": f"the soft light and shadow here: {row['text']}"}) + "\n")
    before = len(retrained(team))
    team.until(lambda: len(retrained(team)) > before)
    team.until(lambda: newest(team)["state_name"] == "Unchanged")
    champion = champion_of(team)

    worse = {"lstm_train.learning_rate": 1e-9}
    team.ask("PATCH", f"deployments/{nightly}", parameters={"corpus": str(corpus), "changes": worse})
    before = len(retrained(team))
    done = team.until(lambda: len(retrained(team)) > before and retrained(team)[0])
    assert "stays challenger" in done["state"]["message"]
    assert champion_of(team) == champion
    schedules = team.ask("GET", f"deployments/{nightly}")["schedules"]
    for schedule in schedules:
        team.client().delete(f"deployments/{nightly}/schedules/{schedule['id']}").raise_for_status()


def newest(team):
    """Return the latest run of the schedule that has come to an end by itself."""
    return next(run for run in retrainings(team) if run["state_name"] in ("Completed", "Unchanged"))


def retrained(team):
    """Wait for a run of the schedule that has retrained, and return all of them, newest first."""
    return team.until(lambda: [run for run in retrainings(team) if run["state_name"] == "Completed"])


def retrainings(team):
    ended = {"state": {"type": {"any_": sorted(FINAL)}}}
    found = team.ask("POST", "flow_runs/filter", flow_runs=ended, sort="START_TIME_DESC", limit=200)
    return [run for run in found if run["created_by"] and run["created_by"]["type"] == "SCHEDULE"]


def champion_of(team):
    """Return the number of the version that is the champion."""
    address = f"http://127.0.0.1:{team.ports['mlflow']}/api/2.0/mlflow/registered-models/alias"
    found = httpx.get(address, params={"name": "photocritic", "alias": "champion"})
    return found.raise_for_status().json()["model_version"]["version"]


def training_of(team, run, stage):
    found = team.below(run).get(stage)
    return found if found and found["state_type"] == "RUNNING" else None


def kept(team, run):
    """Return the metrics of the CNN that a run has kept."""
    name = team.ask("GET", f"flow_runs/{run}")["name"]
    return json.loads(team.git("show", f"runs/{name}:reports/metrics/cnn_pretrain/labels/metrics.json"))


def undisturbed(team, folder):
    """Return the metrics of the same CNN trained in one go."""
    workspace = team.workspace.copy(folder)
    workspace.params({"cnn_pretrain": {"epochs": EPOCHS}})
    workspace.run("-m", "dvc", "repro", "cnn_pretrain@labels")
    return json.loads((folder / "reports/metrics/cnn_pretrain/labels/metrics.json").read_text())
