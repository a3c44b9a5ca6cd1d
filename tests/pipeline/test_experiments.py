"""DVC experiments on the pipeline: run aside, shown, compared, drawn without a network, and shared through a remote."""

import json
import subprocess

import pytest

from tests.browser import browser

pytestmark = [pytest.mark.xdist_group("pipeline"), pytest.mark.timeout(1800)]  # the whole chain, on busy machines
METRICS = "reports/metrics/lda.json"


def git(workspace, *arguments):
    identity = ("-c", "user.name=tester", "-c", "user.email=tester@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=workspace.folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def project(finished, tmp_path_factory):
    """Give a committed workspace with an experiment `three` of three topics, run in a checkout of its own."""
    project = finished.copy(tmp_path_factory.mktemp("experiments") / "project")
    git(project, "config", "user.name", "tester")
    git(project, "config", "user.email", "tester@example.org")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "a finished run")
    project.run("-m", "dvc", "exp", "run", "--temp", "--name", "three", "-S", "lda.topics=3", "lda")
    return project


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("browser")) as tab:
        tab.send(
            "Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1
        )
        yield tab


def read(project, *command):
    return json.loads(project.run("-m", "dvc", *command).stdout)


def test_an_experiment_is_shown_with_its_parameters_and_metrics(project):
    _workspace, head = read(project, "exp", "show", "--json")
    (row,) = head["experiments"]
    ours, theirs = head["data"], row["revs"][0]["data"]
    assert row["name"] == "three"
    assert [one["params"]["params.yaml"]["data"]["lda"]["topics"] for one in (ours, theirs)] == [4, 3]
    assert {"reports/metrics/evaluate.json", METRICS} <= set(theirs["metrics"])
    assert theirs["metrics"][METRICS]["data"] != ours["metrics"][METRICS]["data"]


def test_a_temporary_checkout_leaves_the_folder_and_records_its_run_here(project):
    told = subprocess.run(["git", "status", "--short"], cwd=project.folder, capture_output=True, text=True, check=True)
    assert told.stdout == ""
    assert read(project, "status", "--json") == {}
    from mlflow import MlflowClient

    client = MlflowClient(tracking_uri=f"sqlite:///{project.folder}/mlruns/mlflow.db")  # not copied: made by `three`
    runs = client.search_runs([client.get_experiment_by_name("photocritic").experiment_id])
    assert [run.data.params["lda.topics"] for run in runs if run.info.run_name == "lda"] == ["3"]


def test_metrics_differ_between_an_experiment_and_the_commit(project):
    found = read(project, "metrics", "diff", "HEAD", "three", "--json")
    assert set(found) == {METRICS}
    assert found[METRICS]["topics"] == {"old": 4.0, "new": 3.0, "diff": -1.0}


@pytest.mark.parametrize("command", [("show",), ("diff", "HEAD", "three")])
def test_plots_are_drawn_without_a_network(project, tab, command):
    project.run("-m", "dvc", "plots", *command)
    page = project.folder / "reports" / "dvc_plots" / "index.html"
    seen = len(tab.requested())
    tab.open(page.as_uri())
    tab.until(f"location.href === '{page.as_uri()}' && document.readyState === 'complete'")
    tab.until("[...document.querySelectorAll('body > div')].every(one => one.querySelector('svg.marks'))")
    assert tab.run("document.querySelectorAll('body > div').length") >= 10
    marks = "[...document.querySelectorAll('svg.marks')].every(one => one.querySelectorAll('path').length > 5)"
    assert tab.run(marks)
    assert tab.requested()[seen:] == [page.as_uri()]
    assert not tab.complaints()


def test_a_fresh_clone_gets_everything_from_a_remote(project, tmp_path):
    remote = tmp_path / "remote"
    project.run("-m", "dvc", "remote", "add", "--local", "--default", "shared", str(remote))
    project.run("-m", "dvc", "push")
    clone = project.clone(tmp_path / "clone")
    clone.run("-m", "dvc", "remote", "add", "--local", "--default", "shared", str(remote))
    clone.run("-m", "dvc", "pull")
    assert read(clone, "status", "--json") == {}
    shards = "data/ingest/shards"
    assert len(list((clone.folder / shards).iterdir())) == 1  # 90 photographs
    assert (clone.folder / shards / "00000.tar").read_bytes() == (project.folder / shards / "00000.tar").read_bytes()
