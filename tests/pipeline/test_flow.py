"""The flow run for real, without a server: every stage a task run of its name, and nothing done twice."""

import re
import subprocess

import pytest
from mlflow import MlflowClient
from ruamel.yaml import YAML

from photocritic.core.environment import environment

pytestmark = [pytest.mark.xdist_group("pipeline"), pytest.mark.timeout(1800)]  # the whole chain, on busy machines


def test_the_flow_brings_all_stages_up_to_date_on_the_parameters_that_it_began_with(finished, tmp_path):
    workspace, told = finished.copy(tmp_path / "flow"), ""
    workspace.params({"evaluate": {"positions": 5}})
    command = [str(workspace.python), "-m", "flows"]
    options = {"cwd": workspace.folder, "env": environment(), "text": True, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, stdout=subprocess.PIPE, **options) as process:
        for line in process.stdout:
            told += line
            if "Running stage 'evaluate" in line:
                workspace.params({"evaluate": {"positions": 6}})
    assert process.returncode == 0, told
    for stage in ("ingest", "filter", "lda", "cnn_pretrain@weak", "lstm_train@cws", "report", "augment", "promote"):
        assert re.search(rf"Task run '{re.escape(stage)}'.*(Completed|Unchanged)", told), told
    assert re.findall(r"Running stage '(.*)'", told) == ["evaluate", "report"]
    assert "report.html" in told
    assert "params.yaml was changed during this run" in told
    recorded = YAML(typ="safe").load(workspace.folder / "dvc.lock")["stages"]["evaluate"]["params"]["params.yaml"]
    assert recorded["evaluate"]["positions"] == 5
    other = finished.copy(tmp_path / "plain")
    other.params({"evaluate": {"positions": 5}})
    other.run("-m", "photocritic.cli", "run")
    assert (other.folder / "dvc.lock").read_bytes() == (workspace.folder / "dvc.lock").read_bytes()
    assert "Running stage" not in other.run("-m", "photocritic.cli", "run").stdout
    assert (other.folder / "dvc.lock").read_bytes() == (workspace.folder / "dvc.lock").read_bytes()


def test_a_stage_that_refuses_its_input_fails_the_flow_without_a_retry(finished, tmp_path):
    workspace = finished.copy(tmp_path / "flow")
    workspace.params({"lda": {"topics": 100_000}})
    done = workspace.run("-m", "flows", check=False)
    told = done.stdout + done.stderr
    assert done.returncode == 1
    assert "lda.topics=100000" in told
    assert "Traceback" not in told
    client = MlflowClient(tracking_uri=f"sqlite:///{workspace.folder}/mlruns/mlflow.db")
    runs = client.search_runs([client.get_experiment_by_name("photocritic").experiment_id])
    assert [run.info.run_name for run in runs if "mlflow.parentRunId" in run.data.tags] == ["lda"]
