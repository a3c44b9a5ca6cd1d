"""Orders and draws are functions of (seed, epoch, step)."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from photocritic.training.seeding import deterministic, epoch_batches, reseed


@given(st.integers(0, 2**32 - 1), st.integers(0, 99), st.integers(1, 200), st.integers(1, 64))
def test_batches_hold_every_example_once_in_equal_parts(seed: int, epoch: int, examples: int, size: int) -> None:
    batches = epoch_batches(seed, epoch, examples, size)
    lengths = [len(batch) for batch in batches]
    assert sorted(np.concatenate(batches)) == list(range(examples))
    assert max(lengths) <= size
    assert max(lengths) - min(lengths) <= 1
    again = epoch_batches(seed, epoch, examples, size)
    assert all(np.array_equal(one, two) for one, two in zip(batches, again, strict=True))


def test_epochs_differ_in_order() -> None:
    assert not np.array_equal(epoch_batches(1, 0, 100, 100)[0], epoch_batches(1, 1, 100, 100)[0])


def test_reseeding_depends_on_every_part() -> None:
    draws = set()
    for place in [(1, 0, 0, 0), (2, 0, 0, 0), (1, 1, 0, 0), (1, 0, 1, 0), (1, 0, 0, 1), (1, 0, 0, 0)]:
        reseed(*place)
        draws.add((float(torch.rand(1)), float(np.random.rand())))  # noqa: NPY002
    assert len(draws) == 5


def test_deterministic_puts_settings_back() -> None:
    before = torch.are_deterministic_algorithms_enabled()
    with deterministic():
        assert torch.are_deterministic_algorithms_enabled()
    assert torch.are_deterministic_algorithms_enabled() == before
