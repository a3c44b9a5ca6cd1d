"""The plan of a training, and its history."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from photocritic.core.errors import TrainingError
from photocritic.training.hardware import Precision

Indices = NDArray[np.int64]
OnEpoch = Callable[[int, dict[str, float]], None]
Best = tuple[str, Literal["max", "min"]]
ClipBy = Literal["norm", "value"]


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
        Largest norm of the whole gradient, or largest magnitude of each of its elements.
    grad_clip_by : "norm" or "value"
        Which of the two.
    accumulate : int
        Parts that a batch is computed in, one after the other, to save memory. The gradient is that of the whole batch
        but for rounding, batch normalisation, and other draws of dropout. It grows by itself when memory runs out.
    ema : float
        Decay of a moving average of the weights, which is then what is validated and kept; 0: none.
    average : int
        The model ends with the mean weights of so many of the best epochs, or of the last without a measure of `best`.
    patience : int
        Training ends after so many epochs in a row without a better value of `best`; 0: never.
    unit : str
        What an example is, in the plural, for speeds.
    """

    label: str
    epochs: int
    batch_size: int
    seed: int
    precision: Precision = "32-true"
    grad_clip: float | None = None
    grad_clip_by: ClipBy = "norm"
    accumulate: int = 1
    ema: float = 0.0
    average: int = 1
    patience: int = 0
    unit: str = "examples"

    def steps(self, examples: int) -> int:
        """Count the optimizer's steps in an epoch, as a scheduler wants to know it (times `epochs`)."""
        return -(-examples // self.batch_size)

    def is_over(self, epoch: int, best_epoch: int | None) -> bool:
        """Return whether a training ends after so many epochs; `best_epoch` is None where none is ranked."""
        out_of_patience = self.patience > 0 and best_epoch is not None and epoch - best_epoch >= self.patience
        return epoch >= self.epochs or out_of_patience

    def best_epochs(self, epochs: Sequence[dict[str, float]], best: Best | None) -> list[int]:
        """Return the epochs whose weights are to be kept, as the function `best_epochs` does.

        Raises
        ------
        TrainingError
            The last epoch's metric of `best` is not a finite number.
        """
        if best is not None and not math.isfinite(epochs[-1].get(best[0], math.nan)):
            raise TrainingError(
                f"{self.label}: '{best[0]}' is not a finite number at epoch {len(epochs)}; "
                "lower learning_rate, or check that there are validation examples"
            )
        return best_epochs(epochs, best, self.average)


@dataclass(frozen=True)
class History:
    """Metrics of every epoch, and which epoch's weights the model ended with.

    Attributes
    ----------
    epochs : list of dict of str to float
        `train_loss`, `learning_rate` and what validation gave, by epoch.
    best_epoch : int
        The epoch whose weights were kept, from 1; the last where no `best` was asked for.
    averaged : dict of str to float
        What validation gave for the mean of several epochs' weights, where the model ended with one.
    """

    epochs: list[dict[str, float]]
    best_epoch: int
    averaged: dict[str, float] = field(default_factory=dict)

    @property
    def best(self) -> dict[str, float]:
        """Metrics of the weights that were kept."""
        return self.epochs[self.best_epoch - 1] | self.averaged

    def rows(self) -> list[dict[str, float]]:
        """Return the learning curve as rows for a plot, with the epoch from 1."""
        return [{"epoch": epoch, **metrics} for epoch, metrics in enumerate(self.epochs, start=1)]


def best_epochs(epochs: Sequence[dict[str, float]], best: Best | None, count: int) -> list[int]:
    """Return the epochs whose weights are to be kept, the best first and the earliest of equals.

    Parameters
    ----------
    epochs : sequence of dict of str to float
        Metrics of the finished epochs.
    best : (str, "max" or "min"), optional
        What they are ranked by; without it the latest come first, and a single one is not kept but in the model.
    count : int
        How many, at most.

    Returns
    -------
    list of int
        Epochs from 1.
    """
    numbers = range(1, len(epochs) + 1)
    if best is None:
        return [*reversed(numbers)][:count] if count > 1 else []
    name, direction = best
    sign = -1.0 if direction == "max" else 1.0
    return sorted(numbers, key=lambda epoch: (sign * epochs[epoch - 1][name], epoch))[:count]
