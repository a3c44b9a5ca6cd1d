"""The one training loop: every model here is trained by `fit`.

Lightning Fabric chooses the device and the precision and, given a launched Fabric, averages gradients over workers. A
run that is killed at any point and started again with the same arguments ends with the same bits as one left alone: all
randomness is a function of (seed, epoch, step), and a checkpoint holds everything else that changes.
"""

import logging
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import torch
from lightning_fabric import Fabric
from torch import nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from photocritic.core.errors import TrainingError
from photocritic.training import checkpoint as checkpoints
from photocritic.training import workers
from photocritic.training.averaging import MovingAverage
from photocritic.training.checkpoint import Progress, SavingTime, clear
from photocritic.training.display import Display
from photocritic.training.hardware import Precision, suitable_threads, usable_precision
from photocritic.training.linear_layers import fast_linear_layers
from photocritic.training.plan import Best, History, Indices, OnEpoch, Plan
from photocritic.training.seeding import deterministic, epoch_batches, reseed
from photocritic.training.step import Gradient, Loss, Weigh

__all__ = ["Best", "History", "Indices", "Loss", "OnEpoch", "Plan", "Precision", "Validate", "Weigh", "clear", "fit"]

log = logging.getLogger(__name__)
logging.getLogger("lightning_fabric").setLevel(logging.WARNING)  # the log has its own lines of what is trained and how

Validate = Callable[[nn.Module], dict[str, float]]


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
    weigh: Weigh = len,
    fabric: Fabric | None = None,
    checkpoint_seconds: float = 60.0,
) -> History:
    """Train a model, going on from its checkpoint where there is one.

    Parameters
    ----------
    model : nn.Module
        The model; it is moved to the device and ends with the weights that the plan asks for: by default those of the
        best epoch, or the last where `best` is None.
        Initialise it from the seed: its initial weights are part of what a checkpoint is recognised by.
    optimizer : Optimizer
        Over the model's parameters.
    scheduler : LRScheduler or None
        Stepped after every batch.
    examples : int
        Number of training examples.
    loss : callable
        Given the model in training mode and the indices of a batch or a part of one, (B,) int64, computes the mean loss
        over it. Call the model itself, not its other methods: its forward is where precision and gradient averaging
        take hold. Tensors belong on `next(model.parameters()).device`. Randomness from torch's or numpy's global
        generators is seeded.
    plan : Plan
        Epochs, batch size, seed, precision, and what becomes of memory and weights.
    checkpoint : Path
        The checkpoint file, written after an epoch as long as that keeps the time it takes small, and at least every
        `checkpoint_seconds`. It stays after success, until `clear`, so that work after training can be killed too.
    key : str
        Hash or text of what else the outcome depends on: inputs and parameters. A checkpoint with another is ignored.
    validate : callable, optional
        Given the model in evaluation mode, without gradients, computes metrics after every epoch.
    best : (str, "max" or "min"), optional
        The metric by which the best epoch's weights are kept; the earliest of equals.
    on_epoch : callable, optional
        Called after each epoch with its number (from 1) and its metrics, with the speed and the share of time spent
        waiting for data, which a history leaves out; on resume also for the epochs finished before. On the first worker
        only.
    weigh : callable, optional
        Given indices, what they count in a batch's mean loss: by default their number; for a mean over tokens, the
        number of their tokens.
    fabric : Fabric, optional
        A launched Fabric; by default one device, or all workers that torchrun started. Only the first worker writes
        the checkpoint.
    checkpoint_seconds : float
        Wall time between checkpoints within an epoch.

    Returns
    -------
    History
        The learning curve.

    Raises
    ------
    TrainingError
        There is nothing to train on, the loss or the metric of `best` is not a finite number, or memory does not
        suffice for a single example.
    """
    if examples < 1:
        raise TrainingError(f"{plan.label}: no examples to train on; check the split and the filters before it")
    plan = replace(plan, precision=usable_precision(plan.precision))
    identity = checkpoints.fingerprint(model, plan=plan, examples=examples, best=best, inputs=key)
    fabric = fabric or workers.launched_fabric(plan.precision)
    with deterministic(), suitable_threads(model, plan.batch_size), fast_linear_layers():
        run = _Run(fabric, model, optimizer, scheduler, plan=plan, examples=examples, best=best)
        run.resume(checkpoint, identity)
        return run.train(loss, weigh, validate, on_epoch, checkpoint_seconds)


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
        best: Best | None,
    ) -> None:
        self.fabric, self.plan, self.examples, self.best = fabric, plan, examples, best
        self.bare, self.scheduler = model, scheduler
        self.model, self.optimizer = fabric.setup(model, optimizer)
        self.average = MovingAverage(model, plan.ema) if plan.ema else None
        self.progress = Progress(accumulate=plan.accumulate)
        self._saving = SavingTime()
        self._parts = {  # whose states a checkpoint holds; some are absent
            "model": model,
            "optimizer": self.optimizer,
            "precision": fabric.strategy.precision,
            "scheduler": scheduler,
            "average": self.average,
        }

    def resume(self, checkpoint: Path, identity: dict[str, str]) -> None:
        """Take up the checkpoint's states, where it belongs to this run; later ones go to the same place."""
        self.checkpoint, self.identity = checkpoint, identity
        found = checkpoints.load(checkpoint, identity)
        if found is None:
            return
        self.progress, states = found
        log.info("%s: resuming at epoch %d, step %d", self.plan.label, self.progress.epoch + 1, self.progress.step + 1)
        for name, part in self._parts.items():
            if part is not None:
                part.load_state_dict(states[name])

    def save(self) -> None:
        """Write the checkpoint, on the first worker."""
        if self.fabric.is_global_zero:
            with self._saving.measured():
                states = {name: {} if part is None else part.state_dict() for name, part in self._parts.items()}
                checkpoints.save(self.checkpoint, self.identity, self.progress, states)

    def _is_over(self) -> bool:
        return self.plan.is_over(self.progress.epoch, self.progress.best_epoch if self.best is not None else None)

    def train(
        self,
        loss: Loss,
        weigh: Weigh,
        validate: Validate | None,
        on_epoch: OnEpoch | None,
        checkpoint_seconds: float,
    ) -> History:
        first = self.fabric.is_global_zero
        report: OnEpoch = on_epoch if on_epoch is not None and first else lambda _epoch, _metrics: None
        for epoch, metrics in enumerate(self.progress.epochs, start=1):
            report(epoch, metrics)
        gradient = Gradient(self.fabric, self.model, self.optimizer, loss, weigh, self.plan)
        with Display(self.plan, self.examples, self.bare, quiet=not first) as display:
            while not self._is_over():
                self._epoch(gradient, display, checkpoint_seconds)
                metrics = self._finish_epoch(validate)
                if self._saving.is_cheap() or self._is_over():
                    self.save()
                display.epoch_ends(self.progress.epoch, metrics)
                report(self.progress.epoch, metrics | display.speeds())
        return self._finish(validate)

    def _epoch(self, gradient: Gradient, display: Display, checkpoint_seconds: float) -> None:
        progress = self.progress
        batches = epoch_batches(self.plan.seed, progress.epoch, self.examples, self.plan.batch_size)
        saved = time.monotonic()
        self.model.train()
        while progress.step < len(batches):
            batch = batches[progress.step]
            display.step_begins(progress.epoch, progress.step)
            value = gradient(batch, progress, display.data_wanted)
            self._update(progress.epoch * len(batches) + progress.step + 1)
            progress.finish_step(value, len(batch))
            display.step_ends(len(batch), progress.mean_loss)
            if time.monotonic() - saved >= checkpoint_seconds and progress.step < len(batches):
                self.save()
                saved = time.monotonic()

    def _update(self, step: int) -> None:
        """Move the weights along the gradient; the step counts from 1 over all epochs."""
        self._clip()
        self.optimizer.step()
        if self.scheduler is not None:
            self.scheduler.step()
        if self.average is not None:
            self.average.update(step)

    def _clip(self) -> None:
        if (largest := self.plan.grad_clip) is None:
            return
        if self.plan.grad_clip_by == "value":
            self.fabric.clip_gradients(self.model, self.optimizer, clip_val=largest)
        else:
            self.fabric.clip_gradients(self.model, self.optimizer, max_norm=largest, error_if_nonfinite=False)

    def _finish_epoch(self, validate: Validate | None) -> dict[str, float]:
        progress = self.progress
        metrics = {"train_loss": progress.mean_loss, "learning_rate": float(self.optimizer.param_groups[0]["lr"])}
        with self.average.in_place() if self.average is not None else nullcontext():
            metrics |= self._validated(validate)
            progress.finish_epoch(metrics)
            chosen = self.plan.best_epochs(progress.epochs, self.best)
            if self.best is not None:
                progress.best_epoch = chosen[0]
            progress.keep(self.bare, chosen)
        return metrics

    def _validated(self, validate: Validate | None) -> dict[str, float]:
        if validate is None:
            return {}
        reseed(self.plan.seed, self.progress.epoch, self.progress.step, self.fabric.global_rank)
        self.model.eval()
        with torch.no_grad():
            metrics = {name: float(value) for name, value in validate(self.model).items()}
        return self.fabric.broadcast(metrics)  # of the first worker, so that all decide alike

    def _finish(self, validate: Validate | None) -> History:
        """Leave the model with the weights that were kept; a mean of several is measured once more."""
        progress = self.progress
        averaged: dict[str, float] = {}
        if progress.kept:
            self.bare.load_state_dict(checkpoints.mean_weights([*progress.kept.values()]))
            averaged = self._validated(validate) if len(progress.kept) > 1 else {}
        elif self.average is not None:
            self.bare.load_state_dict(self.average.state)
        return History(progress.epochs, progress.best_epoch or progress.epoch, averaged)
