"""One stage as a flow: what it is asked for is checked, and failures are retried only where that can help."""

import pytest
from prefect.states import Completed, Failed

from flows.stage import StageFailed, StageInterrupted, check, raise_for, results, worth_retrying
from photocritic.core.errors import ParamsError
from photocritic.core.results import read_result, recorded, write_progress


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


def test_a_stage_that_has_refused_its_input_is_not_run_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ParamsError), recorded("lda"):
        raise ParamsError("lda.topics: too many")
    with pytest.raises(StageFailed, match=r"lda failed: lda\.topics: too many"):
        raise_for("cnn_pretrain@weak", 255, "ERROR: failed to run", {})  # DVC runs what comes before it
    with pytest.raises(StageInterrupted, match="not started"):  # as where another process holds DVC's lock
        raise_for("lda", 255, "ERROR: '/p/data' is busy", results())
    raise_for("lda", 0, "", {})


@pytest.mark.parametrize("error", [OSError("the disk is full"), None])
def test_a_stage_that_was_interrupted_is_run_again(tmp_path, monkeypatch, error):
    monkeypatch.chdir(tmp_path)
    if error is None:  # its process was killed
        write_progress("lda", 3, 10)
        assert (read_result("lda").epoch, read_result("lda").epochs) == (3, 10)
    else:
        with pytest.raises(OSError, match="disk"), recorded("lda"):
            raise error
        assert read_result("lda").message == "OSError: the disk is full"
    with pytest.raises(StageInterrupted, match="ended early"):
        raise_for("lda", 255, "last lines", {})


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


def test_a_result_leads_to_no_other_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with recorded("lda@x/../../../../../outside"):
        pass
    assert [path.parent.name for path in tmp_path.rglob("*.json")] == ["results"]
    assert read_result("lda@x/../../../../../outside").status == "done"
