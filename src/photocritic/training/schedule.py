"""How the learning rate runs over a training's steps, by name."""

import math
from typing import Literal

from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR, LRScheduler, OneCycleLR

Schedule = Literal["one_cycle", "cosine", "constant"]


def schedule(
    name: Schedule, optimizer: Optimizer, steps: int, warm_up: float = 0.1, cycle_momentum: bool = False
) -> LRScheduler:
    """Make a schedule that is stepped after every batch.

    Parameters
    ----------
    name : str
        one_cycle: up from a 25th of the rate and down to almost nothing, both as half a cosine; cosine: up from 0 in a
        straight line and down to 0 as half a cosine; constant: the rate as it is.
    optimizer : Optimizer
        Its learning rates are the highest that the schedule reaches.
    steps : int
        Of the whole training.
    warm_up : float
        Share of the steps in which the rate of one_cycle and cosine rises.
    cycle_momentum : bool
        Whether one_cycle lowers the momentum while the rate is high.

    References
    ----------
    Smith and Topin 2019, Super-Convergence (one cycle); Loshchilov and Hutter 2017, SGDR, Eq. 5 (cosine).
    """
    if name == "one_cycle":
        highest = [float(group["lr"]) for group in optimizer.param_groups]
        return OneCycleLR(optimizer, highest, total_steps=steps + 1, pct_start=warm_up, cycle_momentum=cycle_momentum)
    if name == "cosine":
        rising = max(round(warm_up * steps), 1)
        return LambdaLR(optimizer, lambda step: _cosine(step, rising, steps))
    return LambdaLR(optimizer, lambda _: 1.0)


def _cosine(step: int, rising: int, steps: int) -> float:
    if step < rising:
        return (step + 1) / rising
    return (1 + math.cos(math.pi * min((step - rising) / max(steps - rising, 1), 1.0))) / 2
