"""What a training uses of the hardware: the arithmetic and the threads with which it is fastest."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import torch
from torch import nn

from photocritic.core.environment import is_reproducible

log = logging.getLogger(__name__)

Precision = Literal["32-true", "bf16-mixed", "16-mixed"]

SMALL = 100_000_000  # parameters times examples in a batch; below, threads wait for each other longer than they work


def usable_precision(wanted: Precision) -> Precision:
    """Return the precision to train with.

    On a processor half precision pays only where it multiplies whole tiles of it (AMX). With bfloat16 vectors alone
    (AVX-512) a ResNet18 trains at 0.75 of the speed of float32, and an LSTM at a third.

    Parameters
    ----------
    wanted : str
        Fabric's name of the precision that was asked for.

    Returns
    -------
    str
        `wanted` with a GPU, or for bfloat16 on a processor with AMX; else float32, as always where numbers are to be
        the same on every processor.
    """
    if wanted == "32-true" or torch.cuda.is_available():
        return wanted
    if is_reproducible():
        log.info("training in float32, which is the same on every processor (reproducible)")
        return "32-true"
    if wanted == "bf16-mixed" and torch.cpu._is_amx_tile_supported():
        return wanted
    log.info("this processor is faster in float32 than in %s; training in float32", wanted.partition("-")[0])
    return "32-true"


@contextmanager
def suitable_threads(model: nn.Module, batch_size: int) -> Iterator[None]:
    """Compute on one thread inside the block where a batch is too small to be shared, and on all otherwise.

    The choice depends on sizes alone, so that equal trainings take equal steps everywhere.

    Parameters
    ----------
    model : nn.Module
        What is trained.
    batch_size : int
        Examples in a step.
    """
    threads = torch.get_num_threads()
    if sum(weight.numel() for weight in model.parameters()) * batch_size < SMALL:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
