"""`make server`, `make deploy`, `make server-stop`, and one stage on a worker; the longer runs are in test_team.py."""

import psutil
import pytest

from flows import lost

pytestmark = [pytest.mark.xdist_group("team"), pytest.mark.timeout(1200)]
AGAIN = {"type": "SCHEDULED", "name": "AwaitingRetry", "message": lost.AGAIN}


def test_the_flows_are_deployed_on_their_pools(team):
    found = {one["name"]: one["work_pool_name"] for one in team.ask("POST", "deployments/filter", limit=50)}
    assert found == {"pools": "cpu", "cpu": "cpu", "gpu": "gpu", "nightly": "cpu"}
    nightly = team.ask("GET", "deployments/name/retrain/nightly")
    assert [schedule["active"] for schedule in nightly["schedules"]] == [False]
    changes = nightly["parameter_openapi_schema"]["properties"]["changes"]
    assert {"type": "object"}.items() <= changes["anyOf"][0].items()
    presets = team.ask("GET", "deployments/name/pipeline/pools")["parameter_openapi_schema"]["definitions"]["Preset"]
    assert "flickr8k" in presets["enum"]


def test_deploying_again_changes_nothing(team):
    before = team.ask("POST", "automations/filter")
    team.deploy()
    assert len(team.ask("POST", "automations/filter")) == len(before) == 3


def test_a_stage_runs_in_the_workers_clone_and_shows_what_it_did(team):
    parameters = {
        "name": "ingest",
        "revision": "main",
        "params": (team.folder / "params.yaml").read_text(encoding="utf-8"),
    }
    run = team.start("stage", **parameters)
    state = team.ended(run)
    assert state["name"] == "Completed", (state["message"], team.told())
    assert (team.folder / ".prefect/workers/cpu/data/ingest/images.parquet").is_file()
    assert not (team.folder / "data").exists()
    shown = {one["key"]: one for one in team.artifacts()}
    assert f"127.0.0.1:{team.ports['mlflow']}" in shown["ingest-mlflow"]["data"]
    assert "passed" in str(shown["ingest-gates"]["data"])
    again = team.start("stage", **parameters)
    assert team.ended(again)["name"] == "Unchanged"


def test_bad_input_fails_the_stage_for_good(team):
    text = (team.folder / "params.yaml").read_text(encoding="utf-8").replace("reader: sample", "reader: dpc")
    run = team.start("stage", name="ingest", revision="main", params=text)
    state = team.ended(run)
    assert state["type"] == "FAILED"
    assert "StageFailed" in state["message"]


def test_a_pipeline_that_is_lost_again_and_again_fails_at_last(team):
    run = team.start("pipeline", changes={"lda.topics": 5})
    for _ in range(lost.TIMES):
        team.ask("POST", f"flow_runs/{run}/set_state", state=AGAIN, force=True)
    state = team.ended(run)
    assert state["type"] == "FAILED", team.told()
    assert f"was lost {lost.TIMES} times" in state["message"]
    assert not team.below(run)


def test_what_was_started_is_stopped_and_nothing_else(team):
    names = ("prefect", "mlflow", "worker-cpu", "worker-gpu")
    running = [team.process(name) for name in names]
    family = [*running, *(child for one in running for child in one.children(recursive=True))]
    told = team.down()
    assert all(name in told for name in names)
    assert not [one for one in family if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]
    assert "nothing" in team.down()
