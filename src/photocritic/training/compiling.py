"""torch.compile as an option that never stops a training."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn
from torch._dynamo.exc import TorchDynamoException

log = logging.getLogger(__name__)


@contextmanager
def compiled(module: nn.Module, label: str) -> Iterator[None]:
    """Compute a module's forward compiled inside the block; names in its state stay as they are.

    Parameters
    ----------
    module : nn.Module
        The module. Where it cannot be compiled, as without a C++ compiler, a line of log says so and it computes as
        ever.
    label : str
        What is trained, for that line.
    """
    plain = module.forward
    quick: Any = torch.compile(plain, dynamic=False)  # a size met later must not change how the sizes before compute

    def forward(*inputs: Any) -> Any:
        nonlocal quick
        try:
            return quick(*inputs)
        except TorchDynamoException as error:
            log.warning("%s: torch.compile failed (%s); going on without it", label, _brief(error))
            quick = plain
            return plain(*inputs)

    module.forward = forward
    try:
        yield
    finally:
        del module.forward  # the class's own shows again


def _brief(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
