"""The recipe brings a task to the loop: it knows its position, resumes exactly, and phases follow each other."""

from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from photocritic.training.loop import Indices, Plan
from photocritic.training.recipe import Position, Recipe, Task, TrainingRun, train

EXAMPLES, PLAN = 20, Plan("toy", epochs=3, batch_size=5, seed=3)
RECIPE = Recipe(PLAN, 0.05, weight_decay=0.1, schedule="cosine")


class Toy:
    """A linear model that fits noise, and remembers where in the training each loss was computed."""

    def __init__(self) -> None:
        torch.manual_seed(1)
        self.inputs, self.targets = torch.randn(EXAMPLES, 3), torch.randn(EXAMPLES, 1)
        self.model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        self.positions: list[Position] = []

    def loss(self, model: nn.Module, rows: Indices, position: Position) -> Tensor:
        self.positions.append(position)
        return nn.functional.mse_loss(model(self.inputs[rows]), self.targets[rows])

    def validate(self, model: nn.Module) -> dict[str, float]:
        return {"val_loss": nn.functional.mse_loss(model(self.inputs), self.targets).item()}

    def task(self) -> Task:
        return Task(EXAMPLES, self.loss, ("val_loss", "min"), self.validate)


def test_a_task_knows_its_position_after_a_resume_too(tmp_path: Path) -> None:
    whole = Toy()
    train(whole.model, whole.task(), RECIPE, TrainingRun(3, tmp_path / "whole.pt"))
    assert [position.epoch for position in whole.positions] == [0] * 4 + [1] * 4 + [2] * 4
    assert [position.share for position in whole.positions] == [step / 12 for step in range(12)]

    class Stopped(Exception):
        pass

    def stop(epoch: int, metrics: dict[str, float]) -> None:
        if epoch == 2:
            raise Stopped

    first, second = Toy(), Toy()
    with pytest.raises(Stopped):
        train(first.model, first.task(), RECIPE, TrainingRun(3, tmp_path / "c.pt", on_epoch=stop))
    train(second.model, second.task(), RECIPE, TrainingRun(3, tmp_path / "c.pt"))
    assert [*first.positions, *second.positions] == whole.positions
    for found, expected in zip(second.model.parameters(), whole.model.parameters(), strict=True):
        assert torch.equal(found, expected)


def test_without_a_measure_the_last_epoch_is_kept(tmp_path: Path) -> None:
    toy = Toy()
    task = Task(EXAMPLES, toy.loss, ("val_loss", "min"))
    assert train(toy.model, task, RECIPE, TrainingRun(3, tmp_path / "c.pt")).best_epoch == 3


def test_a_phase_has_a_checkpoint_of_its_own_and_counts_its_epochs_on(tmp_path: Path) -> None:
    seen: list[int] = []
    run = TrainingRun(3, tmp_path / "c.pt", on_epoch=lambda epoch, metrics: seen.append(epoch))
    for phase in (run, run.phase("second", 3)):
        toy = Toy()
        train(toy.model, toy.task(), RECIPE, phase)
    assert seen == [1, 2, 3, 4, 5, 6]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.pt", "c_second.pt"]
    assert TrainingRun(3, tmp_path / "c.pt").phase("second").on_epoch is None


def test_a_part_may_have_a_learning_rate_of_its_own(tmp_path: Path) -> None:
    toy = Toy()
    before = [weight.clone() for weight in toy.model.parameters()]
    train(toy.model, toy.task(), RECIPE, TrainingRun(3, tmp_path / "c.pt"), {toy.model[0]: 0.0})
    same = [torch.equal(*pair) for pair in zip(before, toy.model.parameters(), strict=True)]
    assert same == [True, True, False, False]
