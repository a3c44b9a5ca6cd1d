"""Optimizers by name, with weight decay where it helps."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import torch
from torch import nn
from torch.optim import Optimizer

Name = Literal["adamw", "adam", "adagrad", "sgd"]

_MOMENTUM = 0.9  # of SGD


def optimizer(
    name: Name,
    model: nn.Module,
    learning_rate: float,
    weight_decay: float,
    beside: Mapping[nn.Module, float] = MappingProxyType({}),
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
    beside : mapping of nn.Module to float
        Further modules, each with a learning rate of its own.
    """
    groups = _groups(model, weight_decay)
    for module, rate in beside.items():
        groups += [group | {"lr": rate} for group in _groups(module, weight_decay)]
    if name == "sgd":
        return torch.optim.SGD(groups, lr=learning_rate, momentum=_MOMENTUM, fused=True)
    if name == "adagrad":
        return torch.optim.Adagrad(groups, lr=learning_rate)
    kind = torch.optim.AdamW if name == "adamw" else torch.optim.Adam
    return kind(groups, lr=learning_rate, fused=True)


def _groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    trainable = [weight for weight in model.parameters() if weight.requires_grad]
    return [
        {"params": [weight for weight in trainable if weight.ndim > 1], "weight_decay": weight_decay},
        {"params": [weight for weight in trainable if weight.ndim <= 1], "weight_decay": 0.0},
    ]
