"""Averaged weights are validated and kept, best epochs are averaged, and a training that gets no better ends."""

from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
import torch
from torch import nn

from photocritic.training import averaging
from photocritic.training.checkpoint import mean_weights
from photocritic.training.loop import History
from photocritic.training.plan import best_epochs


def same(first: nn.Module, second: nn.Module) -> bool:
    one, two = first.state_dict(), second.state_dict()
    return all(torch.equal(one[name], two[name]) for name in one)


def loss_of(toy: ModuleType, net: nn.Module) -> float:
    inputs, targets = toy.data()
    with torch.no_grad():
        return nn.functional.mse_loss(net.eval()(inputs), targets).item()


def interrupted(toy: ModuleType, checkpoint: Path, **options: object) -> tuple[nn.Module, History]:
    """Train, stop after the second epoch, and go on."""

    def stop(epoch: int, metrics: dict[str, float]) -> None:
        if epoch == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        toy.train(checkpoint, on_epoch=stop, **options)
    net, history = toy.train(checkpoint, **options)
    return net, history


def test_the_moving_average_is_the_recurrence() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    average = averaging.MovingAverage(net, 0.5)
    expected = net[0].weight.detach().clone()
    for step in range(1, 30):
        with torch.no_grad():
            net[0].weight += 1.0
            net[1].num_batches_tracked += 1
        average.update(step)
        decay = min(0.5, (1 + step) / (10 + step))
        expected = decay * expected + (1 - decay) * net[0].weight.detach()
    torch.testing.assert_close(average.state["0.weight"], expected)
    assert average.state["1.num_batches_tracked"] == 29
    own = net[0].weight.detach().clone()
    with average.in_place():
        assert torch.equal(net[0].weight, average.state["0.weight"])
    assert torch.equal(net[0].weight, own)


def test_averaged_weights_are_validated_kept_and_resumed(toy: ModuleType, tmp_path: Path) -> None:
    plan = replace(toy.PLAN, ema=0.9)
    net, history = toy.train(tmp_path / "c.pt", plan=plan)
    plain, without = toy.train(tmp_path / "plain.pt")
    assert not same(net, plain)
    assert [row["train_loss"] for row in history.epochs] == [row["train_loss"] for row in without.epochs]
    assert loss_of(toy, net) == history.best["val_loss"] == min(row["val_loss"] for row in history.epochs)
    again, curve = interrupted(toy, tmp_path / "again.pt", plan=plan)
    assert same(net, again)
    assert history == curve


def test_without_validation_the_last_average_stays(toy: ModuleType, tmp_path: Path) -> None:
    options = {"validate": None, "best": None}
    average, _ = toy.train(tmp_path / "a.pt", plan=replace(toy.PLAN, ema=0.9), **options)
    last, _ = toy.train(tmp_path / "b.pt", **options)
    assert not same(average, last)


def test_the_model_ends_with_the_mean_of_its_best_epochs(toy: ModuleType, tmp_path: Path) -> None:
    states: list[dict[str, torch.Tensor]] = []

    def validate(model: nn.Module) -> dict[str, float]:
        states.append({name: value.clone() for name, value in model.state_dict().items()})
        return {"val_loss": [3.0, 1.0, 2.0, 4.0, 0.5][len(states) - 1]}

    net, history = toy.train(tmp_path / "c.pt", plan=replace(toy.PLAN, average=2), validate=validate)
    expected = mean_weights([states[1], states[2]])
    for name, value in net.state_dict().items():
        assert torch.equal(value, expected[name].to(value.dtype)), name
    assert history.best_epoch == 2
    assert history.best["val_loss"] == 0.5  # measured on the mean


def test_an_average_of_epochs_resumes_to_the_same_bits(toy: ModuleType, tmp_path: Path) -> None:
    plan = replace(toy.PLAN, average=3)
    net, history = toy.train(tmp_path / "c.pt", plan=plan)
    again, curve = interrupted(toy, tmp_path / "again.pt", plan=plan)
    assert same(net, again)
    assert history == curve
    assert loss_of(toy, net) == history.best["val_loss"]


@pytest.mark.parametrize(
    ("best", "count", "expected"),
    [
        (("a", "min"), 2, [2, 4]),
        (("a", "max"), 2, [1, 3]),
        (None, 2, [4, 3]),
        (None, 1, []),
        (("a", "min"), 9, [2, 4, 3, 1]),
    ],
)
def test_best_epochs_are_ranked_the_earliest_of_equals_first(best: object, count: int, expected: list[int]) -> None:
    epochs = [{"a": 3.0}, {"a": 1.0}, {"a": 2.0}, {"a": 1.0}]
    assert best_epochs(epochs, best, count) == expected  # type: ignore[arg-type]


def test_a_training_that_gets_no_better_ends(toy: ModuleType, tmp_path: Path) -> None:
    def run(checkpoint: Path, values: list[float]) -> tuple[nn.Module, History]:
        def validate(model: nn.Module) -> dict[str, float]:
            return {"val_loss": values.pop(0)}

        return toy.train(checkpoint, plan=replace(toy.PLAN, epochs=9, patience=2), validate=validate)  # type: ignore[no-any-return]

    net, history = run(tmp_path / "c.pt", [3.0, 2.0, 2.5, 1.0, 1.0, 1.5, 0.1])
    assert len(history.epochs) == 6
    assert history.best_epoch == 4
    again, curve = run(tmp_path / "c.pt", [])  # a finished run takes no step and measures nothing
    assert same(net, again)
    assert history == curve
