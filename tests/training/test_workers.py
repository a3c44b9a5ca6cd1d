"""Workers that torchrun started learn what one process learns, and the first alone writes."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import torch

from photocritic.core import logs
from photocritic.core.environment import is_first_worker, worker_count
from photocritic.core.outcome import Outcome

TOY = Path(__file__).with_name("toy.py")


def test_two_workers_of_torchrun_learn_what_one_process_learns(toy: ModuleType, tmp_path: Path) -> None:
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    subprocess.run([*launch, str(TOY), str(tmp_path), "torchrun"], check=True, capture_output=True)
    found = [torch.load(tmp_path / f"{rank}.pt", weights_only=True) for rank in (0, 1)]
    alone, history = toy.train_plain(tmp_path / "alone.pt")
    for worker in found:
        for name, value in alone.state_dict().items():
            torch.testing.assert_close(worker["model"][name], value, atol=1e-6, rtol=0)
        losses = [epoch["train_loss"] for epoch in worker["epochs"]]
        assert losses == pytest.approx([epoch["train_loss"] for epoch in history.epochs], abs=1e-6)
    assert [worker["first"] for worker in found] == [True, False]
    assert [worker["told"] for worker in found] == [[1, 2, 3, 4], []]
    assert (tmp_path / "order").read_text() == "01"


def test_a_process_of_its_own_is_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    monkeypatch.setenv("RANK", "3")  # other tools set it too
    assert is_first_worker()
    assert worker_count() == 1


@pytest.mark.parametrize("rank", ["0", "1"])
def test_a_stage_writes_and_records_in_the_first_worker_alone(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rank: str
) -> None:
    from stages.runner import Stage, run_declared

    for name in ("params.yaml", "dvc.yaml"):
        (tmp_path / name).write_text((root / name).read_text())
    monkeypatch.setattr("stages.runner.validate_inputs", lambda *_: None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(logs, "setup", lambda *_: None)
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", rank)
    worked = []

    def work(stage: Stage) -> Outcome:
        worked.append(stage)
        stage.run.on_epoch(1, {"loss": 1.0})
        stage.run.log_artifact(tmp_path / "params.yaml")
        return Outcome(metrics={"loss": 1.0})

    run_declared("lda", work)
    assert len(worked) == 1
    assert (tmp_path / "reports" / "metrics" / "lda.json").exists() == (rank == "0")
    assert (tmp_path / "mlruns").exists() == (rank == "0")
