"""The one recipe by which every model here is trained: optimizer, schedule and loop around a model's data and loss."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from torch import Tensor, nn

from photocritic.training.loop import Best, History, Indices, OnEpoch, Plan, Validate, Weigh, fit
from photocritic.training.optimizers import (
    NO_RATES,
    WARM_UP,
    OptimizerName,
    Rates,
    ScheduleName,
    make_optimizer,
    make_schedule,
)


@dataclass(frozen=True)
class Position:
    """How far a training has come.

    Attributes
    ----------
    epoch : int
        The epoch, from 0.
    share : float
        Share of all steps that are done, in [0, 1).
    step : int
        How many these are, over all epochs.
    """

    epoch: int
    share: float
    step: int = 0


@dataclass(frozen=True)
class Task:
    """What a model brings to its training: its data, its loss and its measure.

    Attributes
    ----------
    examples : int
        Number of training examples.
    loss : callable
        As in `fit`, with the `Position` as a third argument.
    best : (str, "max" or "min")
        The metric of `validate` by which the best epoch's weights are kept.
    validate : callable, optional
        As in `fit`; without it the last epoch's weights are kept.
    weigh : callable
        As in `fit`.
    """

    examples: int
    loss: Callable[[nn.Module, Indices, Position], Tensor]
    best: Best
    validate: Validate | None = None
    weigh: Weigh = len


@dataclass(frozen=True)
class Recipe:
    """The hyperparameters of a training.

    Attributes
    ----------
    plan : Plan
        Epochs, batch size, seed and precision.
    learning_rate : float
        The highest of the schedule.
    optimizer, weight_decay, decay_all, fused
        As in `make_optimizer`.
    schedule, warm_up, cycle_momentum
        As in `make_schedule`.
    """

    plan: Plan
    learning_rate: float
    optimizer: OptimizerName = "adamw"
    weight_decay: float = 0.0
    decay_all: bool = False
    fused: bool = True
    schedule: ScheduleName = "constant"
    warm_up: float = WARM_UP
    cycle_momentum: bool = False


@dataclass(frozen=True)
class TrainingRun:
    """What one run of a training is resumed and tracked by.

    Attributes
    ----------
    seed : int
        All randomness derives from it.
    checkpoint : Path
        Where the training goes on from after it was killed.
    key : str
        As in `fit`.
    on_epoch : callable, optional
        As in `fit`.
    """

    seed: int
    checkpoint: Path
    key: str = ""
    on_epoch: OnEpoch | None = None

    def phase(self, name: str, epochs: int = 0) -> "TrainingRun":
        """Return the run of a later phase, after so many epochs, with a checkpoint of its own."""
        report = self.on_epoch
        return replace(
            self,
            checkpoint=self.checkpoint.with_stem(f"{self.checkpoint.stem}_{name}"),
            on_epoch=(lambda epoch, metrics: report(epochs + epoch, metrics)) if report else None,
        )


def train(model: nn.Module, task: Task, recipe: Recipe, run: TrainingRun, rates: Rates = NO_RATES) -> History:
    """Train a model by a recipe, resuming from its checkpoint where there is one.

    Parameters
    ----------
    model : nn.Module
        As in `fit`.
    task : Task
        The model's data and loss.
    recipe : Recipe
        The hyperparameters.
    run : TrainingRun
        Seed, checkpoint and tracking.
    rates : mapping of nn.Module to float
        Parts of the model with a learning rate of their own.

    Returns
    -------
    History
        The learning curve.

    Raises
    ------
    TrainingError
        As in `fit`.
    """
    optimizer = make_optimizer(
        recipe.optimizer,
        model,
        recipe.learning_rate,
        recipe.weight_decay,
        rates,
        decay_all=recipe.decay_all,
        fused=recipe.fused,
    )
    steps = recipe.plan.steps(task.examples)
    total = recipe.plan.epochs * steps
    schedule = make_schedule(recipe.schedule, optimizer, total, recipe.warm_up, recipe.cycle_momentum)

    def loss(module: nn.Module, rows: Indices) -> Tensor:
        done = schedule.last_epoch  # the schedule counts steps, and a resume restores it
        return task.loss(module, rows, Position(done // steps, done / total, done))

    return fit(
        model,
        optimizer,
        schedule,
        task.examples,
        loss,
        recipe.plan,
        run.checkpoint,
        key=run.key,
        validate=task.validate,
        best=task.best if task.validate else None,
        on_epoch=run.on_epoch,
        weigh=task.weigh,
    )
