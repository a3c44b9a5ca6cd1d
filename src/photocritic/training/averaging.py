"""A moving average of the weights over the steps of a training."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn

from photocritic.training.checkpoint import Weights

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
        """Load the averaged state into the model inside the block, and its own back after it."""
        own = {name: value.detach().clone() for name, value in self._model.state_dict().items()}
        self._model.load_state_dict(self.state)
        try:
            yield
        finally:
            self._model.load_state_dict(own)

    def state_dict(self) -> Weights:
        """Return the averaged state."""
        return self.state

    def load_state_dict(self, state: Weights) -> None:
        """Go on from an average in a checkpoint."""
        for name, value in state.items():
            self.state[name].copy_(value)
