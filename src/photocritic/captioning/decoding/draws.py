"""Random numbers that are a function of (seed, image, sample, step) alone, whatever else stands in the batch."""

import hashlib
from collections.abc import Iterable

import torch
from torch import Tensor

BITS = 40  # of a draw: below 1 by more than float64 rounds, however it is scaled


def uniform(seed: int, *counters: Tensor | int) -> Tensor:
    """Draw numbers from [0, 1).

    Parameters
    ----------
    seed : int
        The seed.
    counters : int64 Tensor or int
        What else a draw is a function of; at least one is a tensor, and their shapes broadcast.

    Returns
    -------
    Tensor
        float64, of the counters' common shape.

    References
    ----------
    Steele et al. 2014, Fast Splittable Pseudorandom Number Generators: the finaliser of SplitMix64, here a hash that
    takes in one counter after another.
    """
    mixed: Tensor | int = _signed(seed)
    for counter in counters:
        mixed = _mix(torch.as_tensor(mixed) * _signed(0x9E3779B97F4A7C15) + counter + 1)
    return _shift(_mix(torch.as_tensor(mixed)), 64 - BITS).double() * 2.0**-BITS


def keys_of(names: Iterable[str]) -> Tensor:
    """Number images by their names, so that a draw is the image's own whatever stands beside it; (B,) int64."""
    digests = (hashlib.blake2b(name.encode("utf-8"), digest_size=8).digest() for name in names)
    return torch.tensor([int.from_bytes(digest, "big", signed=True) for digest in digests], dtype=torch.int64)


def _mix(number: Tensor) -> Tensor:
    number = (number ^ _shift(number, 30)) * _signed(0xBF58476D1CE4E5B9)
    number = (number ^ _shift(number, 27)) * _signed(0x94D049BB133111EB)
    return number ^ _shift(number, 31)


def _shift(number: Tensor, bits: int) -> Tensor:
    """Shift right and fill with zeros, where torch would repeat the sign."""
    return (number >> bits) & ((1 << (64 - bits)) - 1)


def _signed(number: int) -> int:
    """Read 64 bits as two's complement, which is how int64 arithmetic wraps around."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)
