"""The progress of a training: a bar on a terminal, one line of log an epoch elsewhere."""

import logging
import os
import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from torch import nn

from photocritic.core import declaration
from photocritic.core.results import write_progress
from photocritic.training.plan import Plan

log = logging.getLogger(__name__)


class Display:
    """Progress of one training, with its speed and the share of time spent waiting for data.

    The wait for data is the time from when a step, or a part of one, wants it to the model's next forward call.

    Parameters
    ----------
    plan : Plan
        What is being trained, for how long, and what an example is called.
    examples : int
        Number of training examples.
    model : nn.Module
        The model whose forward call ends the wait for data.
    quiet : bool
        Show nothing at all, as on all workers but the first.
    """

    def __init__(self, plan: Plan, examples: int, model: nn.Module, quiet: bool = False) -> None:
        self._label, self._epochs, self._unit, self._quiet = plan.label, plan.epochs, plan.unit, quiet
        self._steps = plan.steps(examples)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=quiet or not sys.stderr.isatty(),
            transient=True,
        )
        self._task = self._bar.add_task(plan.label, total=plan.epochs * self._steps, note="")
        self._hook = model.register_forward_pre_hook(self._forward_begins)
        self._started = self._wanted = time.monotonic()
        self._elapsed = self._waited = 0.0
        self._examples, self._waiting = 0, False

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
        self._hook.remove()

    def step_begins(self, epoch: int, step: int) -> None:
        """Mark the start of a step; both numbers count from 0."""
        if step == 0 or self._examples == 0:
            self._reset()
        self._bar.update(
            self._task,
            completed=epoch * self._steps + step,
            description=f"{self._label} epoch {epoch + 1}/{self._epochs}",
        )

    def data_wanted(self) -> None:
        """Mark the start of a wait for data."""
        self._wanted, self._waiting = time.monotonic(), True

    def step_ends(self, examples: int, mean_loss: float) -> None:
        """Mark the end of a step over so many examples; the loss is the epoch's mean so far."""
        self._examples += examples
        self._elapsed = time.monotonic() - self._started
        self._bar.update(self._task, advance=1, note=f"loss {mean_loss:.4f}  {self._speed()}")

    def epoch_ends(self, epoch: int, metrics: dict[str, float]) -> None:
        """Show an epoch's metrics; the epoch counts from 1."""
        numbers = "  ".join(f"{name} {value:.4g}" for name, value in metrics.items())
        line = f"{self._label} epoch {epoch}/{self._epochs}  {numbers}  {self._speed()}"
        if self._quiet:
            return
        if stage := os.environ.get(declaration.VARIABLE):
            write_progress(stage, epoch, self._epochs)
        if self._bar.disable:
            log.info(line)
        else:
            self._bar.console.print(line, highlight=False)

    def speeds(self) -> dict[str, float]:
        """Return the epoch's speed and the share of its steps' time that was spent waiting for data."""
        elapsed = max(self._elapsed, 1e-9)
        return {f"{self._unit}_per_second": self._examples / elapsed, "data_wait_share": self._waited / elapsed}

    def _reset(self) -> None:
        self._started = self._wanted = time.monotonic()
        self._elapsed, self._waited = 0.0, 0.0
        self._waiting, self._examples = False, 0

    def _forward_begins(self, *_: object) -> None:
        if self._waiting:
            self._waited += time.monotonic() - self._wanted
            self._waiting = False

    def _speed(self) -> str:
        speed, share = self.speeds().values()
        return f"{speed:.0f} {self._unit}/s  {share:.0%} waiting for data"
