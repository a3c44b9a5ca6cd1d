"""The loop learns, resumes to the same bits after a hard kill, and refuses what cannot go on."""

import logging
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Literal

import pytest
import torch
from torch import nn

from photocritic.core.errors import TrainingError
from photocritic.training.checkpoint import clear
from photocritic.training.loop import Indices, Plan, fit

TOY = Path(__file__).with_name("toy.py")


def same(first: nn.Module, second: nn.Module) -> bool:
    one, two = first.state_dict(), second.state_dict()
    return one.keys() == two.keys() and all(torch.equal(one[name], two[name]) for name in one)


def test_the_loss_falls_and_the_best_epoch_is_kept(toy: ModuleType, tmp_path: Path) -> None:
    seen = []
    net, history = toy.train(
        tmp_path / "c.pt", plan=replace(toy.PLAN, epochs=12), on_epoch=lambda epoch, metrics: seen.append(epoch)
    )
    losses = [metrics["val_loss"] for metrics in history.epochs]
    assert losses[-1] < losses[0]
    assert history.best["val_loss"] == min(losses)
    assert seen == list(range(1, 13))
    inputs, targets = toy.data()
    with torch.no_grad():
        assert nn.functional.mse_loss(net.eval()(inputs), targets).item() == min(losses)
    assert history.rows()[0] == {"epoch": 1, **history.epochs[0]}


@pytest.mark.parametrize("die_at", [4, 8])  # within the first epoch, at the first step of the second
def test_a_killed_run_resumes_to_the_same_bits(toy: ModuleType, tmp_path: Path, die_at: int) -> None:
    whole, history = toy.train(tmp_path / "whole.pt")
    checkpoint = tmp_path / "killed.pt"
    killed = subprocess.run([sys.executable, str(TOY), str(checkpoint), str(die_at)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert checkpoint.is_file()
    seen: list[int] = []
    resumed, again = toy.train(checkpoint, on_epoch=lambda epoch, metrics: seen.append(epoch))
    assert same(whole, resumed)
    assert again == history
    assert seen == [1, 2, 3, 4]


def test_two_workers_agree_and_learn_what_one_learns(toy: ModuleType, tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(TOY), str(tmp_path), "two"], check=True, capture_output=True)
    first, second = (torch.load(tmp_path / f"{rank}.pt", weights_only=True) for rank in (0, 1))
    parameters = [name for name, _ in toy.model().named_parameters()]
    assert all(torch.equal(first["model"][name], second["model"][name]) for name in parameters)
    assert [epoch["train_loss"] for epoch in first["epochs"]] == [epoch["train_loss"] for epoch in second["epochs"]]
    _, alone = toy.train(tmp_path / "alone.pt")
    assert first["epochs"][-1]["val_loss"] == pytest.approx(alone.epochs[-1]["val_loss"], rel=0.2)


def test_a_finished_run_is_not_trained_again(toy: ModuleType, tmp_path: Path) -> None:
    first, history = toy.train(tmp_path / "c.pt")
    second, again = toy.train(tmp_path / "c.pt", die_at=1)  # would kill this process if it took a step
    assert same(first, second)
    assert again == history


def test_the_seed_decides_everything(toy: ModuleType, tmp_path: Path) -> None:
    first, _ = toy.train(tmp_path / "a.pt")
    torch.rand(5)  # the state of the global generator must not matter
    second, _ = toy.train(tmp_path / "b.pt", checkpoint_seconds=60.0)
    other, _ = toy.train(tmp_path / "d.pt", plan=replace(toy.PLAN, seed=4))
    assert same(first, second)
    assert not same(first, other)


def test_another_runs_checkpoint_is_passed_over(
    toy: ModuleType, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    expected, _ = toy.train(tmp_path / "whole.pt", key="new")
    toy.train(tmp_path / "c.pt", key="old")
    with caplog.at_level(logging.WARNING):
        found, _ = toy.train(tmp_path / "c.pt", key="new")
    assert same(expected, found)
    assert "made with another inputs; starting afresh" in caplog.text


@pytest.mark.parametrize("damage", [b"", b"not a checkpoint", None])
def test_a_damaged_checkpoint_is_passed_over(
    toy: ModuleType, tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: bytes | None
) -> None:
    expected, _ = toy.train(tmp_path / "c.pt")
    content = (tmp_path / "c.pt").read_bytes()
    (tmp_path / "c.pt").write_bytes(content[: len(content) // 2] if damage is None else damage)
    with caplog.at_level(logging.WARNING):
        found, _ = toy.train(tmp_path / "c.pt")
    assert same(expected, found)
    assert "not a readable checkpoint" in caplog.text


def test_clear_removes_the_checkpoint_and_leftovers(tmp_path: Path) -> None:
    checkpoint = tmp_path / "c.pt"
    for name in ("c.pt", ".c.4711.pt"):
        (tmp_path / name).write_bytes(b"")
    clear(checkpoint)
    clear(checkpoint)
    assert list(tmp_path.iterdir()) == []


def test_a_loss_that_is_no_number_says_where_and_what_to_do(tmp_path: Path) -> None:
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=1.0)

    def loss(model: nn.Module, batch: object) -> torch.Tensor:
        return model(torch.ones(1, 2)).sum() * float("nan")

    with pytest.raises(TrainingError, match="epoch 1, step 1; lower learning_rate"):
        fit(net, optimizer, None, 4, loss, Plan("bad", 1, 2, 0), tmp_path / "c.pt")


def test_nothing_to_train_on_is_refused(toy: ModuleType, tmp_path: Path) -> None:
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
    with pytest.raises(TrainingError, match="no examples"):
        fit(net, optimizer, None, 0, lambda m, b: m(torch.ones(1, 2)).sum(), Plan("none", 1, 2, 0), tmp_path / "c.pt")


def test_a_line_of_log_an_epoch_off_a_terminal(
    toy: ModuleType, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        toy.train(tmp_path / "c.pt")
    lines = [record.getMessage() for record in caplog.records if "toy epoch" in record.getMessage()]
    assert len(lines) == 4
    assert "examples/s" in lines[0]
    assert "waiting for data" in lines[0]


def test_speeds_are_told_and_left_out_of_the_history(toy: ModuleType, tmp_path: Path) -> None:
    told: list[dict[str, float]] = []
    plan = replace(toy.PLAN, unit="captions", accumulate=2)
    _, history = toy.train(tmp_path / "c.pt", plan=plan, on_epoch=lambda epoch, metrics: told.append(metrics))
    for metrics, kept in zip(told, history.epochs, strict=True):
        assert metrics.keys() - kept.keys() == {"captions_per_second", "data_wait_share"}
        assert metrics["captions_per_second"] > 0
        assert 0 < metrics["data_wait_share"] < 1


def test_bfloat16_trains_and_keeps_float32_weights(toy: ModuleType, tmp_path: Path) -> None:
    net, history = toy.train(tmp_path / "c.pt", plan=replace(toy.PLAN, precision="bf16-mixed"))
    assert next(net.parameters()).dtype == torch.float32
    assert all(metrics["train_loss"] > 0 for metrics in history.epochs)


@pytest.mark.parametrize("by", ["norm", "value"])
def test_a_gradient_is_clipped_as_a_whole_or_element_by_element(tmp_path: Path, by: Literal["norm", "value"]) -> None:
    net = nn.Linear(2, 1, bias=False)
    before = net.weight.detach().clone()
    optimizer = torch.optim.SGD(net.parameters(), lr=1.0)

    def loss(current: nn.Module, _: Indices) -> torch.Tensor:
        return current(torch.tensor([[3.0, 0.04]])).sum()

    fit(net, optimizer, None, 1, loss, Plan("clip", 1, 1, 3, grad_clip=0.1, grad_clip_by=by), tmp_path / "c.pt")
    moved = (before - net.weight.detach())[0]
    expected = torch.tensor([3.0, 0.04])
    expected = expected.clamp(max=0.1) if by == "value" else 0.1 * expected / expected.norm()
    torch.testing.assert_close(moved, expected, atol=1e-6, rtol=1e-5)
