"""The Prefect flow: the graph is DVC's own, and failures are retried only where that can help."""

import pytest
from prefect.states import Completed, Failed

from flows import graph
from flows.stage import StageFailed, StageInterrupted, check, outcome, worth_retrying
from photocritic.core.errors import ParamsError


@pytest.fixture
def nodes(root, monkeypatch):
    monkeypatch.chdir(root)
    return graph.read()


def test_the_graph_is_the_one_in_dvc_yaml(nodes):
    needs = {node.name: set(node.needs) for node in nodes}
    assert needs["filter"] == {"ingest"}
    assert {"filter", "ingest"} <= needs["lda"]
    assert {"lda", "ingest"} <= needs["cnn_pretrain@weak"]
    assert "cnn_pretrain@labels" in needs["lstm_train@ns"]
    assert "cnn_pretrain@weak" not in needs["lstm_train@ns"]
    assert {"lstm_train@ns", "lstm_train@cs", "lstm_train@cws"} <= needs["evaluate"]


def test_each_stage_comes_after_what_it_needs(nodes):
    seen = set()
    for node in nodes:
        assert set(node.needs) <= seen
        seen.add(node.name)


def test_training_wants_the_gpu_pool(nodes):
    assert {node.name.partition("@")[0] for node in nodes if node.pool == "gpu"} == {
        "cnn_pretrain",
        "lstm_train",
        "augment",
    }


@pytest.mark.parametrize(
    ("error", "retried"),
    [
        (StageFailed("a gate failed"), False),
        (ParamsError("no such preset"), False),
        (StageInterrupted("killed"), True),
        (OSError("network"), True),
    ],
)
def test_only_what_may_pass_is_retried(error, retried):
    assert worth_retrying(None, None, Failed(data=error, message=str(error))) is retried


def test_what_succeeded_is_not_retried():
    assert worth_retrying(None, None, Completed(data="lda")) is False


@pytest.mark.parametrize(
    ("status", "told", "error"),
    [
        (1, "the background is busy\nERROR: failed to run: stages/run lda, exited with 65", StageFailed),
        (1, "ERROR: '/p/data' is busy, it is being blocked by (PID 7)", StageInterrupted),
        (1, "ERROR: failed to run: stages/run lda, exited with -9", StageInterrupted),
    ],
)
def test_what_ended_a_stage_is_told_by_its_exit_status_first(status, told, error):
    with pytest.raises(error):
        outcome("lda", status, told)


@pytest.mark.parametrize("name", ["--cwd=/", "-R", "", "../dvc.yaml:lda", "lda;x", "lda lda", "@", "lda@"])
def test_a_name_that_is_no_stages_reaches_no_command(root, name):
    with pytest.raises(ParamsError, match="is no stage"):
        check(name, (root / "params.yaml").read_text(encoding="utf-8"))


def test_parameters_are_checked_before_a_stage_gets_them(root):
    text = (root / "params.yaml").read_text(encoding="utf-8")
    check("lstm_train@cws", text)
    for wrong in (text.replace("\nlda:", "\nlad:"), "a: [", "seed: x", "variants: {'x; touch y': {}}"):
        with pytest.raises(ParamsError, match="params"):
            check("lda", wrong)
