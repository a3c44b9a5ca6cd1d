"""The gradient of one batch: over several workers, in as many parts as memory asks for."""

import logging
import math
from collections.abc import Callable

import numpy as np
import torch
from lightning_fabric import Fabric
from torch import Tensor, nn
from torch.optim import Optimizer

from photocritic.core.errors import TrainingError
from photocritic.core.system_errors import is_out_of_memory
from photocritic.training.checkpoint import Progress
from photocritic.training.plan import Indices, Plan
from photocritic.training.seeding import reseed

log = logging.getLogger(__name__)

Loss = Callable[[nn.Module, Indices], Tensor]
Weigh = Callable[[Indices], float]


class Gradient:
    """Computes the gradient of a batch's mean loss and leaves it with the parameters.

    Parameters
    ----------
    fabric : Fabric
        Device, precision and workers.
    model : nn.Module
        As Fabric has set it up.
    optimizer : Optimizer
        Over its parameters.
    loss : callable
        As in `fit`.
    weigh : callable
        As in `fit`.
    plan : Plan
        The seed, and the label for messages.
    """

    def __init__(
        self, fabric: Fabric, model: nn.Module, optimizer: Optimizer, loss: Loss, weigh: Weigh, plan: Plan
    ) -> None:
        self._fabric, self._model, self._optimizer = fabric, model, optimizer
        self._loss, self._weigh, self._plan = loss, weigh, plan

    def __call__(self, batch: Indices, progress: Progress, data_wanted: Callable[[], None]) -> float:
        """Compute the gradient of a batch, in more parts from now on where memory runs out.

        Parameters
        ----------
        batch : ndarray of int64
            The examples of all workers.
        progress : Progress
            Where the training stands; its `accumulate` is the number of parts.
        data_wanted : callable
            Called before each part, when the wait for data begins.

        Returns
        -------
        float
            The mean loss over the batch.

        Raises
        ------
        TrainingError
            The loss is not a finite number, or memory does not suffice.
        """
        kept = [buffer.clone() for buffer in self._model.buffers()]  # a failed try leaves batch statistics behind
        while True:
            try:
                return self._finite(self._attempt(batch, progress, data_wanted), progress)
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
            self._cut_finer(len(batch), progress)  # outside of `except`, which holds on to the failed try's tensors
            with torch.no_grad():
                for buffer, value in zip(self._model.buffers(), kept, strict=True):
                    buffer.copy_(value)

    def _attempt(self, batch: Indices, progress: Progress, data_wanted: Callable[[], None]) -> Tensor:
        reseed(self._plan.seed, progress.epoch, progress.step, self._fabric.global_rank)
        self._optimizer.zero_grad()
        share = self._share(batch)
        parts = np.array_split(share, min(progress.accumulate, len(share)))
        total = torch.zeros((), device=self._fabric.device)
        for number, part in enumerate(parts, start=1):
            data_wanted()
            with self._fabric.no_backward_sync(self._model, enabled=number < len(parts)):  # type: ignore[arg-type]
                value = self._loss(self._model, part) * self._weight(part, batch)
                self._fabric.backward(value)
            total += value.detach()
        return total

    def _share(self, batch: Indices) -> Indices:
        """Return this worker's part of a batch; where there are too few examples, one that will count nothing."""
        share = batch[self._fabric.global_rank :: self._fabric.world_size]
        return share if len(share) else batch[:1]

    def _weight(self, part: Indices, batch: Indices) -> float:
        """Return the weight of a part's mean loss; gradients are averaged over workers, hence their number."""
        if self._fabric.global_rank >= len(batch):
            return 0.0
        return self._weigh(part) * self._fabric.world_size / self._weigh(batch)

    def _finite(self, loss: Tensor, progress: Progress) -> float:
        number = float(self._fabric.all_reduce(loss, reduce_op="mean"))  # type: ignore[arg-type]
        if not math.isfinite(number):
            raise TrainingError(
                f"{self._plan.label}: the loss is {number} at {_place(progress)}; "
                "lower learning_rate, set grad_clip, or use precision 32-true"
            )
        return number

    def _cut_finer(self, examples: int, progress: Progress) -> None:
        if self._fabric.world_size > 1:  # the others cannot be told: they wait for this worker's gradient
            raise TrainingError(
                f"{self._plan.label}: out of memory on worker {self._fabric.global_rank + 1} at {_place(progress)}; "
                f"set accumulate to {2 * progress.accumulate} or a smaller batch_size"
            )
        if progress.accumulate >= examples:
            raise TrainingError(
                f"{self._plan.label}: out of memory with a single example at {_place(progress)}; "
                "take a smaller model or smaller inputs"
            )
        progress.accumulate *= 2
        log.warning(
            "%s: out of memory at %s; batches are computed in %d parts from here on",
            self._plan.label, _place(progress), progress.accumulate,
        )  # fmt: skip
        self._optimizer.zero_grad()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()


def _place(progress: Progress) -> str:
    return f"epoch {progress.epoch + 1}, step {progress.step + 1}"
