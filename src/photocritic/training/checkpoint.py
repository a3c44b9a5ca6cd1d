"""Checkpoints: plain tensors and numbers in one atomic file, bound to the run that wrote them by a fingerprint."""

import hashlib
import logging
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from photocritic.core.files import atomic_file

log = logging.getLogger(__name__)

Weights = dict[str, Tensor]

CHEAP = 0.1  # seconds; a checkpoint that takes no longer is written after every epoch ...
SPARING = 20  # ... and one that does, when so many times as long has passed since the last


@dataclass
class Progress:
    """How far a training has come; with the states of model and optimizer all that a resume needs.

    Attributes
    ----------
    epoch, step : int
        The epoch and the step within it that come next, from 0.
    loss_sum : float
        Sum of the loss over the examples seen in this epoch.
    seen : int
        Examples seen in this epoch.
    epochs : list of dict of str to float
        Metrics of the finished epochs.
    best_epoch : int
        The best finished epoch, from 1; 0 before there is one.
    kept : dict of int to (dict of str to Tensor)
        The model's state at the best epochs, by epoch from 1 and the best first; empty where none is kept.
    accumulate : int
        Parts that a batch is computed in; it has grown where memory ran out.
    """

    epoch: int = 0
    step: int = 0
    loss_sum: float = 0.0
    seen: int = 0
    epochs: list[dict[str, float]] = field(default_factory=list)
    best_epoch: int = 0
    kept: dict[int, Weights] = field(default_factory=dict)
    accumulate: int = 1

    @property
    def mean_loss(self) -> float:
        """Mean loss over the examples seen in this epoch."""
        return self.loss_sum / self.seen

    def finish_step(self, loss: float, examples: int) -> None:
        """Count a step with its mean loss over so many examples."""
        self.loss_sum += loss * examples
        self.seen += examples
        self.step += 1

    def finish_epoch(self, metrics: dict[str, float]) -> None:
        """Take in an epoch's metrics, and begin the next."""
        self.epochs.append(metrics)
        self.epoch, self.step, self.loss_sum, self.seen = len(self.epochs), 0, 0.0, 0

    def keep(self, model: nn.Module, epochs: list[int]) -> None:
        """Keep the weights of these epochs alone, of which the model has those of the last finished one."""
        if self.epoch in epochs:
            self.kept[self.epoch] = copy_weights(model)
        self.kept = {epoch: self.kept[epoch] for epoch in epochs}


class SavingTime:
    """When a checkpoint was written last, and the seconds it took."""

    def __init__(self) -> None:
        self._ended, self._took = -math.inf, 0.0

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Measure the block, which writes a checkpoint."""
        began = time.monotonic()
        yield
        self._ended = time.monotonic()
        self._took = self._ended - began

    def is_cheap(self) -> bool:
        """Return whether writing one now would keep its share of the time small."""
        return self._took < CHEAP or time.monotonic() - self._ended > SPARING * self._took


def fingerprint(model: nn.Module, **parts: Any) -> dict[str, str]:
    """Describe a run by what its outcome depends on: the model's initial weights and the parts given by the caller."""
    digest = hashlib.sha256()
    for name, value in sorted(model.state_dict().items()):
        digest.update(f"{name} {value.dtype} {tuple(value.shape)}".encode())
        digest.update(value.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return {"initial weights": digest.hexdigest(), **{name: str(part) for name, part in parts.items()}}


def save(path: Path, identity: dict[str, str], progress: Progress, states: Mapping[str, Any]) -> None:
    """Write a checkpoint, atomically.

    Parameters
    ----------
    path : Path
        The checkpoint file.
    identity : dict of str to str
        The run's `fingerprint`.
    progress : Progress
        How far the run has come.
    states : mapping of str to state dict
        States of the model, the optimizer and whatever else goes on from where it was.
    """
    content = {"identity": identity, "progress": _shallow(progress), "states": dict(states)}
    with atomic_file(path) as temporary:
        torch.save(_plain(content), temporary)


def load(path: Path, identity: dict[str, str]) -> tuple[Progress, dict[str, Any]] | None:
    """Read a checkpoint that the same run wrote; anything else is passed over with a line in the log.

    Parameters
    ----------
    path : Path
        The checkpoint file, which need not be there.
    identity : dict of str to str
        The run's `fingerprint`.

    Returns
    -------
    (Progress, dict) or None
        How far the run had come and its states; None where it must start afresh.
    """
    if not path.is_file():
        return None
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
        found, progress, states = content["identity"], Progress(**content["progress"]), content["states"]
    except (OSError, RuntimeError, EOFError, ValueError, KeyError, TypeError, UnpicklingError) as error:
        log.warning("%s: not a readable checkpoint (%s); starting afresh", path, type(error).__name__)
        return None
    if found != identity:
        changed = sorted(name for name in identity | found if identity.get(name) != found.get(name))
        log.warning("%s: made with another %s; starting afresh", path, ", ".join(changed))
        return None
    return progress, states


def clear(checkpoint: Path) -> None:
    """Delete a checkpoint and what a killed process left half-written beside it; call it after success."""
    checkpoint.unlink(missing_ok=True)
    for leftover in checkpoint.parent.glob(f".{checkpoint.stem}.*{checkpoint.suffix}"):
        leftover.unlink(missing_ok=True)


def copy_weights(model: nn.Module) -> Weights:
    """Copy a model's state to host memory."""
    return {name: value.detach().cpu().clone() for name, value in model.state_dict().items()}


def mean_weights(weights: Sequence[Weights]) -> Weights:
    """Compute the mean of several states of one model; what is counted rather than measured is the first's."""
    return {name: _mean([state[name] for state in weights]) for name in weights[0]}


def _mean(values: list[Tensor]) -> Tensor:
    return torch.stack(values).mean(dim=0) if values[0].is_floating_point() else values[0]


def _shallow(progress: Progress) -> dict[str, Any]:
    return {name: getattr(progress, name) for name in asdict(Progress())}


def _plain(value: Any) -> Any:
    """Turn numpy scalars into Python's, so that a checkpoint loads with weights_only."""
    if isinstance(value, Mapping):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value] if isinstance(value, list) else tuple(_plain(item) for item in value)
    if isinstance(value, np.generic):
        return value.item()
    return value
