"""Means of weights: a moving one over the steps of a training, and one over its best epochs."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from photocritic.training.checkpoint import Weights
from photocritic.training.plan import Best

_WARM_UP = 10  # steps after which a mean begins to reach back further than to the random start


class MovingAverage:
    """An exponential moving average of a model's state, batch statistics included.

    Parameters
    ----------
    model : nn.Module
        The model; the average begins as a copy of its state, on its device.
    decay : float
        Weight of the average in its update; at step t at most (1 + t) / (10 + t), so that the first weights are
        forgotten in short trainings too.

    References
    ----------
    Szegedy et al. 2016, Rethinking the Inception Architecture, section 8 (evaluation with a running average of the
    parameters); the ramp is that of TensorFlow's ExponentialMovingAverage.
    """

    def __init__(self, model: nn.Module, decay: float) -> None:
        self._model, self._decay = model, decay
        self.state = {name: value.detach().clone() for name, value in model.state_dict().items()}

    def update(self, step: int) -> None:
        """Take in the model's state after so many steps."""
        live = self._model.state_dict()
        decay = min(self._decay, (1 + step) / (_WARM_UP + step))
        for name, value in live.items():
            if value.is_floating_point():
                self.state[name].lerp_(value, 1.0 - decay)
            else:
                self.state[name].copy_(value)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Give the model the averaged state inside the block, and its own back after it."""
        own = {name: value.detach().clone() for name, value in self._model.state_dict().items()}
        self._model.load_state_dict(self.state)
        try:
            yield
        finally:
            self._model.load_state_dict(own)

    def load(self, state: Weights) -> None:
        """Go on from an average in a checkpoint."""
        for name, value in state.items():
            self.state[name].copy_(value)


def mean(weights: Sequence[Weights]) -> Weights:
    """Give the mean of several states of one model; what is counted rather than measured is the first's."""
    return {name: _mean([state[name] for state in weights]) for name in weights[0]}


def _mean(values: list[Tensor]) -> Tensor:
    return torch.stack(values).mean(dim=0) if values[0].is_floating_point() else values[0]


def best_epochs(epochs: Sequence[dict[str, float]], best: Best | None, count: int) -> list[int]:
    """Name the epochs whose weights are to be kept, the best first and the earliest of equals.

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
