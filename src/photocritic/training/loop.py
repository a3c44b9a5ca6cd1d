"""The one training loop: every model here is trained by `fit`.

Lightning Fabric chooses the device and the precision and, given a launched Fabric, averages gradients over workers. A
run that is killed at any point and started again with the same arguments ends with the same bits as one left alone: all
randomness is a function of (seed, epoch, step), and a checkpoint holds everything else that changes.
"""

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from lightning_fabric import Fabric
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from photocritic.errors import TrainingError
from photocritic.training import checkpoint as checkpoints
from photocritic.training.checkpoint import Progress, clear
from photocritic.training.display import Display
from photocritic.training.hardware import Precision, suitable_threads, usable_precision
from photocritic.training.seeding import deterministic, epoch_batches, reseed

__all__ = ["History", "Indices", "Plan", "Precision", "clear", "fit"]

log = logging.getLogger(__name__)
logging.getLogger("lightning_fabric").setLevel(logging.WARNING)  # the log says itself what is trained and how

CHEAP = 0.1  # seconds; a checkpoint that takes no longer is written after every epoch ...
SPARING = 20  # ... and one that does, when so many times as long has passed since the last

Indices = NDArray[np.int64]
Loss = Callable[[nn.Module, Indices], Tensor]
Validate = Callable[[nn.Module], dict[str, float]]
OnEpoch = Callable[[int, dict[str, float]], None]
Best = tuple[str, Literal["max", "min"]]


@dataclass(frozen=True)
class Plan:
    """What a training is, apart from its model and its data.

    Attributes
    ----------
    label : str
        What is being trained, for the progress bar and the log.
    epochs, batch_size : int
        Passes over the examples, and examples in a batch (at most; batches of an epoch are of equal size to one).
    seed : int
        What the order of examples and all randomness inside a step derive from.
    precision : str
        Fabric's name: 32-true, bf16-mixed or 16-mixed; float32 is used where that is faster (`usable_precision`).
    grad_clip : float, optional
        Largest norm of the gradient.
    """

    label: str
    epochs: int
    batch_size: int
    seed: int
    precision: Precision = "32-true"
    grad_clip: float | None = None

    def steps(self, examples: int) -> int:
        """Count the optimizer's steps in an epoch, as a scheduler wants to know it (times `epochs`)."""
        return -(-examples // self.batch_size)


@dataclass(frozen=True)
class History:
    """Metrics of every epoch, and which epoch's weights the model ended with.

    Attributes
    ----------
    epochs : list of dict of str to float
        `train_loss`, `learning_rate` and what validation gave, by epoch.
    best_epoch : int
        The epoch whose weights were kept, from 1; the last where no `best` was asked for.
    """

    epochs: list[dict[str, float]]
    best_epoch: int

    @property
    def best(self) -> dict[str, float]:
        """Metrics of the epoch whose weights were kept."""
        return self.epochs[self.best_epoch - 1]

    def rows(self) -> list[dict[str, float]]:
        """Give the learning curve as rows for a plot, with the epoch from 1."""
        return [{"epoch": epoch, **metrics} for epoch, metrics in enumerate(self.epochs, start=1)]


def fit(
    model: nn.Module,
    optimizer: Optimizer,
    scheduler: LRScheduler | None,
    examples: int,
    loss: Loss,
    plan: Plan,
    checkpoint: Path,
    *,
    key: str = "",
    validate: Validate | None = None,
    best: Best | None = None,
    on_epoch: OnEpoch | None = None,
    fabric: Fabric | None = None,
    checkpoint_seconds: float = 60.0,
) -> History:
    """Train a model, going on from its checkpoint where there is one.

    Parameters
    ----------
    model : nn.Module
        The model; it is moved to the device and ends with the best weights, or the last where `best` is None.
        Initialise it from the seed: its initial weights are part of what a checkpoint is recognised by.
    optimizer : Optimizer
        Over the model's parameters.
    scheduler : LRScheduler or None
        Stepped after every batch.
    examples : int
        Number of training examples.
    loss : callable
        Given the model in training mode and the indices of a batch, (B,) int64, gives the mean loss over it. Call the
        model itself, not its other methods: its forward is where precision and gradient averaging take hold. Tensors
        belong on `next(model.parameters()).device`. Randomness from torch's or numpy's global generators is seeded.
    plan : Plan
        Epochs, batch size, seed, precision.
    checkpoint : Path
        The checkpoint file, written after an epoch as long as that keeps the time it takes small, and at least every
        `checkpoint_seconds`. It stays after success, until `clear`, so that work after training can be killed too.
    key : str
        Hash or text of what else the outcome depends on: inputs and parameters. A checkpoint with another is ignored.
    validate : callable, optional
        Given the model in evaluation mode, without gradients, gives metrics after every epoch.
    best : (str, "max" or "min"), optional
        The metric by which the best epoch's weights are kept; the earliest of equals.
    on_epoch : callable, optional
        Told each epoch (from 1) and its metrics; on resume also those of the epochs finished before.
    fabric : Fabric, optional
        A launched Fabric, for several workers; by default one device. Only the first worker writes the checkpoint.
    checkpoint_seconds : float
        Wall time between checkpoints within an epoch.

    Returns
    -------
    History
        The learning curve.

    Raises
    ------
    TrainingError
        There is nothing to train on, or the loss or the metric of `best` is not a finite number.
    """
    if examples < 1:
        raise TrainingError(f"{plan.label}: no examples to train on; check the split and the filters before it")
    plan = replace(plan, precision=usable_precision(plan.precision))
    identity = checkpoints.fingerprint(model, plan=plan, examples=examples, best=best, inputs=key)
    fabric = fabric or Fabric(accelerator="auto", devices=1, precision=plan.precision)
    with deterministic(), suitable_threads(model, plan.batch_size):
        run = _Run(fabric, model, optimizer, scheduler, plan=plan, examples=examples)
        run.resume(checkpoint, identity)
        return run.train(loss, validate, best, on_epoch, checkpoint_seconds)


class _Run:
    def __init__(
        self,
        fabric: Fabric,
        model: nn.Module,
        optimizer: Optimizer,
        scheduler: LRScheduler | None,
        *,
        plan: Plan,
        examples: int,
    ) -> None:
        self.fabric, self.plan, self.examples = fabric, plan, examples
        self.bare, self.scheduler = model, scheduler
        self.model, self.optimizer = fabric.setup(model, optimizer)
        self.progress = Progress()
        self._saved, self._cost = -math.inf, 0.0  # when a checkpoint was written last, and the seconds it took

    def resume(self, checkpoint: Path, identity: dict[str, str]) -> None:
        """Take up the checkpoint's states, where it belongs to this run; later ones go to the same place."""
        self.checkpoint, self.identity = checkpoint, identity
        found = checkpoints.load(checkpoint, identity)
        if found is None:
            return
        self.progress, states = found
        log.info("%s: resuming at epoch %d, step %d", self.plan.label, self.progress.epoch + 1, self.progress.step + 1)
        self.bare.load_state_dict(states["model"])
        self.optimizer.load_state_dict(states["optimizer"])
        self.fabric.strategy.precision.load_state_dict(states["precision"])
        if self.scheduler is not None:
            self.scheduler.load_state_dict(states["scheduler"])

    def save(self) -> None:
        """Write the checkpoint, on the first worker."""
        if not self.fabric.is_global_zero:
            return
        began = time.monotonic()
        states = {
            "model": self.bare.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "precision": self.fabric.strategy.precision.state_dict(),
            "scheduler": self.scheduler.state_dict() if self.scheduler is not None else {},
        }
        checkpoints.save(self.checkpoint, self.identity, self.progress, states)
        self._saved, self._cost = time.monotonic(), time.monotonic() - began

    def _is_worth_saving(self) -> bool:
        """Tell whether saving now would keep its share of the time small; the last epoch is saved in any case."""
        return (
            self._cost < CHEAP
            or time.monotonic() - self._saved > SPARING * self._cost
            or self.progress.epoch == self.plan.epochs
        )

    def train(
        self,
        loss: Loss,
        validate: Validate | None,
        best: Best | None,
        on_epoch: OnEpoch | None,
        checkpoint_seconds: float,
    ) -> History:
        tell = on_epoch or _tell_nobody
        for epoch, metrics in enumerate(self.progress.epochs, start=1):
            tell(epoch, metrics)
        quiet = not self.fabric.is_global_zero
        with Display(self.plan.label, self.plan.epochs, self.plan.steps(self.examples), self.bare, quiet) as display:
            while self.progress.epoch < self.plan.epochs:
                self._epoch(loss, display, checkpoint_seconds)
                metrics = self._finish_epoch(validate, best)
                if self._is_worth_saving():
                    self.save()
                display.epoch_ends(self.progress.epoch, metrics)
                tell(self.progress.epoch, metrics)
        if self.progress.best_weights:
            self.bare.load_state_dict(self.progress.best_weights)
        return History(self.progress.epochs, self.progress.best_epoch or self.plan.epochs)

    def _epoch(self, loss: Loss, display: Display, checkpoint_seconds: float) -> None:
        progress = self.progress
        batches = epoch_batches(self.plan.seed, progress.epoch, self.examples, self.plan.batch_size)
        saved = time.monotonic()
        self.model.train()
        while progress.step < len(batches):
            batch = batches[progress.step]
            display.step_begins(progress.epoch, progress.step)
            value = self._step(loss, batch)
            progress.loss_sum += value * len(batch)
            progress.seen += len(batch)
            progress.step += 1
            display.step_ends(len(batch), progress.loss_sum / progress.seen)
            if time.monotonic() - saved >= checkpoint_seconds and progress.step < len(batches):
                self.save()
                saved = time.monotonic()

    def _step(self, loss: Loss, batch: Indices) -> float:
        progress = self.progress
        reseed(self.plan.seed, progress.epoch, progress.step, self.fabric.global_rank)
        value = loss(self.model, self._share(batch))
        number = self._mean(value.detach())
        if not math.isfinite(number):
            raise TrainingError(
                f"{self.plan.label}: the loss is {number} at epoch {progress.epoch + 1}, step {progress.step + 1}; "
                "lower learning_rate, set grad_clip, or use precision 32-true"
            )
        self.optimizer.zero_grad()
        self.fabric.backward(value)
        if self.plan.grad_clip is not None:
            self.fabric.clip_gradients(
                self.model, self.optimizer, max_norm=self.plan.grad_clip, error_if_nonfinite=False
            )
        self.optimizer.step()
        if self.scheduler is not None:
            self.scheduler.step()
        return number

    def _finish_epoch(self, validate: Validate | None, best: Best | None) -> dict[str, float]:
        progress = self.progress
        metrics = {"train_loss": progress.loss_sum / progress.seen, "learning_rate": self._learning_rate()}
        if validate is not None:
            reseed(self.plan.seed, progress.epoch, progress.step, self.fabric.global_rank)
            self.model.eval()
            with torch.no_grad():
                metrics |= {name: float(value) for name, value in validate(self.model).items()}
        progress.epochs.append(metrics)
        progress.epoch, progress.step, progress.loss_sum, progress.seen = len(progress.epochs), 0, 0.0, 0
        if best is not None and self._is_best(best):
            progress.best_epoch, progress.best_weights = progress.epoch, checkpoints.copy_weights(self.bare)
        return metrics

    def _is_best(self, best: Best) -> bool:
        name, direction = best
        *before, latest = self.progress.epochs
        if not math.isfinite(latest.get(name, math.nan)):
            raise TrainingError(
                f"{self.plan.label}: '{name}' is not a finite number at epoch {self.progress.epoch}; "
                "lower learning_rate, or check that there are validation examples"
            )
        sign = 1.0 if direction == "max" else -1.0
        return not before or sign * latest[name] > max(sign * metrics[name] for metrics in before)

    def _share(self, batch: Indices) -> Indices:
        """Give this worker's part of a batch; parts are of equal size, the first examples fill up."""
        workers = self.fabric.world_size
        return np.resize(batch, -(-len(batch) // workers) * workers)[self.fabric.global_rank :: workers]

    def _mean(self, value: Tensor) -> float:
        reduced: Any = self.fabric.all_reduce(value, reduce_op="mean")
        return float(reduced)

    def _learning_rate(self) -> float:
        return float(self.optimizer.param_groups[0]["lr"])


def _tell_nobody(_epoch: int, _metrics: dict[str, float]) -> None:
    """Stand in where nobody asked to be told."""
