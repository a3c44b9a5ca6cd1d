"""`make server`, `make deploy`, `make server-stop`, and one stage on a worker; the longer runs are in test_team.py."""

import base64

import httpx
import psutil
import pytest

from flows import recovery
from tests.browser import browser
from tests.origins import attacked, evil_page, refused_for_others

pytestmark = [pytest.mark.xdist_group("team"), pytest.mark.timeout(1200)]
AGAIN = {"type": "SCHEDULED", "name": "AwaitingRetry", "message": recovery.RESTARTED}


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


def test_prefects_server_wants_the_password_and_a_token(team):
    """C1: any user of the machine could let a command run."""
    kept = team.folder / ".prefect/servers/access.env"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parents[1].stat().st_mode & 0o777 == 0o700
    address, body = team.address, {"name": "evil"}
    user, password = team.password().split(":")
    for auth in (None, (user, ""), (user, password[:-1]), ("", password)):
        assert httpx.get(f"{address}/csrf-token?client=x", auth=auth).status_code == 401
        token = {"Prefect-Csrf-Client": "tests", "Prefect-Csrf-Token": team.client().headers["prefect-csrf-token"]}
        assert httpx.post(f"{address}/flows/", json=body, auth=auth, headers=token).status_code == 401
    assert httpx.post(f"{address}/flows/", json=body, auth=(user, password)).status_code == 403  # no token
    assert "evil" not in flows(team)
    for log in kept.parent.glob("*.log"):
        assert password not in log.read_text(encoding="utf-8")


def test_pages_of_other_origins_change_nothing(team):
    """C1: with what the server's own pages send, even."""
    password = base64.b64encode(team.password().encode()).decode()
    given = dict(team.client().headers) | {"Authorization": f"Basic {password}"}
    given = {name: given[name] for name in ("prefect-csrf-client", "prefect-csrf-token", "Authorization")}
    refused_for_others(team.address.removesuffix("/api"), "POST", "/api/flows/", {"name": "evil"}, headers=given)
    refused_for_others(team.address.removesuffix("/api"), "GET", "/api/csrf-token?client=x", headers=given)
    for way in ("api", "ajax-api"):
        refused_for_others(mlflow(team), "POST", f"/{way}/2.0/mlflow/experiments/create", {"name": "evil"})
    refused_for_others(mlflow(team), "GET", "/get-artifact?path=x&run_uuid=y")
    assert "evil" not in flows(team) + experiments(team)


def test_pages_of_other_origins_in_a_browser_change_nothing(team, tmp_path):
    """C1"""
    target = {"name": "evil", "experiment_id": "0", "key": "evil", "value": "evil"}
    with evil_page() as page, browser(tmp_path) as tab:
        for url in (
            f"{team.address}/flows/",
            f"{mlflow(team)}/api/2.0/mlflow/experiments/create",
            f"{mlflow(team)}/ajax-api/2.0/mlflow/experiments/create",
            f"{mlflow(team)}/api/2.0/mlflow/experiments/set-experiment-tag",
        ):
            assert set(attacked(tab, page, url, target)) <= {"unread", "TypeError"}
    assert "evil" not in flows(team) + experiments(team)


def flows(team):
    return str(team.ask("POST", "flows/filter", limit=200))


def mlflow(team):
    return f"http://127.0.0.1:{team.ports['mlflow']}"


def experiments(team):
    asked = {"max_results": 100}
    return httpx.post(f"{mlflow(team)}/api/2.0/mlflow/experiments/search", json=asked).raise_for_status().text


def test_a_stage_runs_in_the_workers_clone_and_shows_what_it_did(team):
    parameters = {
        "name": "ingest",
        "revision": "main",
        "params": (team.folder / "params.yaml").read_text(encoding="utf-8"),
    }
    run = team.start("stage", **parameters)
    state = team.ended(run)
    assert state["name"] == "Completed", (state["message"], team.summary())
    assert (team.folder / ".prefect/workers/cpu/data/ingest/images.parquet").is_file()
    assert not (team.folder / "data").exists()
    shown = {one["key"]: one for one in team.artifacts()}
    assert f"127.0.0.1:{team.ports['mlflow']}" in shown["ingest-mlflow"]["data"]
    assert "passed" in str(shown["ingest-gates"]["data"])
    again = team.start("stage", **parameters)
    assert team.ended(again)["name"] == "Unchanged"
    links = "from photocritic import tracking; print(tracking.latest('ingest'))"
    output = team.run("-c", links, MLFLOW_TRACKING_URI=mlflow(team).replace("//", "//user:secret@"))
    assert f"{mlflow(team)}/#/experiments" in output
    assert "secret" not in output  # L13: the links that Prefect's pages show


def test_bad_input_fails_the_stage_for_good(team):
    text = (team.folder / "params.yaml").read_text(encoding="utf-8").replace("reader: sample", "reader: dpc")
    run = team.start("stage", name="ingest", revision="main", params=text)
    state = team.ended(run)
    assert state["type"] == "FAILED"
    assert state["name"] == "Refused"
    assert "ingest" in state["message"]


def test_a_pipeline_that_is_lost_again_and_again_fails_at_last(team):
    run = team.start("pipeline", changes={"lda.topics": 5})
    for _ in range(recovery.MAX_RESTARTS):
        team.ask("POST", f"flow_runs/{run}/set_state", state=AGAIN, force=True)
    state = team.ended(run)
    assert state["type"] == "FAILED", team.summary()
    assert f"was lost {recovery.MAX_RESTARTS} times" in state["message"]
    assert not team.below(run)


def test_what_was_started_is_stopped_and_nothing_else(team):
    names = ("prefect", "mlflow", "worker-cpu", "worker-gpu")
    running = [team.process(name) for name in names]
    family = [*running, *(child for one in running for child in one.children(recursive=True))]
    output = team.down()
    assert all(name in output for name in names)
    assert not [one for one in family if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]
    assert "nothing" in team.down()
