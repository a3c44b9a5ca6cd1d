"""Randomness that is a function of (seed, epoch, step) alone, so that a resumed run needs no generator state."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

_ORDER, _STEP = 0, 1  # separate streams, so that a step never repeats the draws of its epoch's order


def epoch_batches(seed: int, epoch: int, examples: int, batch_size: int) -> list[NDArray[np.int64]]:
    """Shuffle an epoch's examples into batches whose sizes differ by one at most.

    Equal sizes, rather than a short last batch, keep batch normalisation from ever seeing a single example.

    Parameters
    ----------
    seed, epoch : int
        What the order is a function of.
    examples : int
        Number of examples.
    batch_size : int
        Examples in a batch, at most.

    Returns
    -------
    list of ndarray of int64
        The indices of each batch; every example once.
    """
    order = np.random.default_rng([seed, _ORDER, epoch]).permutation(examples)
    return np.array_split(order, -(-examples // batch_size))


def reseed(seed: int, epoch: int, step: int, rank: int = 0) -> None:
    """Seed torch (all devices) and numpy's global generator for one step of one worker."""
    first, second = np.random.SeedSequence([seed, _STEP, epoch, step, rank]).generate_state(2)
    torch.manual_seed(int(first))
    np.random.seed(int(second))  # noqa: NPY002 - the generator that other libraries draw from


@contextmanager
def deterministic() -> Iterator[None]:
    """Use deterministic kernels inside the block, and what was set before after it."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # cuBLAS reads it when CUDA starts
    memory: Any = torch.utils.deterministic
    enabled, warn_only = (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
    )
    benchmark, fill = torch.backends.cudnn.benchmark, memory.fill_uninitialized_memory
    torch.use_deterministic_algorithms(True)
    torch.backends.cudnn.benchmark = False
    memory.fill_uninitialized_memory = False  # a debugging aid that writes each tensor twice
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(enabled, warn_only=warn_only)
        torch.backends.cudnn.benchmark = benchmark
        memory.fill_uninitialized_memory = fill
