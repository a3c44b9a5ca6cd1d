"""Optimizers and learning rate schedules by name."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import torch
from torch import nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR, LRScheduler, OneCycleLR

OptimizerName = Literal["adamw", "adam", "adagrad", "sgd"]
ScheduleName = Literal["one_cycle", "cosine", "linear", "constant"]
Rates = Mapping[nn.Module, float]

WARM_UP = 0.1  # share of the steps, while Adam's second moments settle
NO_RATES: Rates = MappingProxyType({})
_MOMENTUM = 0.9  # of SGD


def make_optimizer(
    name: OptimizerName,
    model: nn.Module,
    learning_rate: float,
    weight_decay: float,
    rates: Rates = NO_RATES,
    *,
    decay_all: bool = False,
    fused: bool = True,
) -> Optimizer:
    """Make an optimizer over a model's trainable parameters.

    Matrices alone decay: shrinking biases, gains and batch normalisation would only fight the data's scale.

    Parameters
    ----------
    name : str
        adamw (decay apart from the gradient), adam, adagrad or sgd (with momentum .9; decay as L2 in these three).
    model : nn.Module
        The model.
    learning_rate : float
        The highest of the schedule.
    weight_decay : float
        Of parameters with more than one dimension.
    rates : mapping of nn.Module to float
        Parts of the model with a learning rate of their own.
    decay_all : bool
        Whether all parameters decay.
    fused : bool
        Whether adamw, adam and sgd update all parameters in one kernel, which is faster, and rounds differently.
    """
    apart = {id(weight) for module in rates for weight in module.parameters()}
    groups = _groups([weight for weight in model.parameters() if id(weight) not in apart], weight_decay, decay_all)
    for module, rate in rates.items():
        groups += [group | {"lr": rate} for group in _groups([*module.parameters()], weight_decay, decay_all)]
    choice = True if fused else None  # None: torch's own
    if name == "sgd":
        return torch.optim.SGD(groups, lr=learning_rate, momentum=_MOMENTUM, fused=choice)
    if name == "adagrad":
        return torch.optim.Adagrad(groups, lr=learning_rate)
    kind = torch.optim.AdamW if name == "adamw" else torch.optim.Adam
    return kind(groups, lr=learning_rate, fused=choice)


def _groups(weights: list[nn.Parameter], weight_decay: float, decay_all: bool) -> list[dict[str, Any]]:
    trainable = [weight for weight in weights if weight.requires_grad]
    if decay_all:
        return [{"params": trainable, "weight_decay": weight_decay}]
    return [
        {"params": [weight for weight in trainable if weight.ndim > 1], "weight_decay": weight_decay},
        {"params": [weight for weight in trainable if weight.ndim <= 1], "weight_decay": 0.0},
    ]


def make_schedule(
    name: ScheduleName, optimizer: Optimizer, steps: int, warm_up: float = WARM_UP, cycle_momentum: bool = False
) -> LRScheduler:
    """Make a schedule that is stepped after every batch.

    The schedules of transformers begin at a rate of 0, which wastes the first step; these begin above it.

    Parameters
    ----------
    name : str
        one_cycle: up from a 25th of the rate and down to almost nothing, both as half a cosine; cosine: up in a
        straight line and down to 0 as half a cosine; linear: up and down to 0 in straight lines; constant: the rate as
        it is.
    optimizer : Optimizer
        Its learning rates are the highest that the schedule reaches.
    steps : int
        Of the whole training.
    warm_up : float
        Share of the steps in which the rate of all but constant rises.
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
    if name == "linear":
        rising = max(int(warm_up * steps), 1)
        return LambdaLR(optimizer, lambda step: min((step + 1) / rising, max(steps - step, 0) / max(steps - rising, 1)))
    return LambdaLR(optimizer, lambda _: 1.0)


def _cosine(step: int, rising: int, steps: int) -> float:
    if step < rising:
        return (step + 1) / rising
    return (1 + math.cos(math.pi * min((step - rising) / max(steps - rising, 1), 1.0))) / 2
