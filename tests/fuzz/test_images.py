"""A short part of what `python -m tests.fuzz.images` does at length."""

import os

from tests.fuzz.images import fuzz


def test_damaged_images_end_decoded_or_with_a_reason():  # H4
    for seed in (1, 2):
        result = fuzz(1_000, seed, workers=2)
        assert not result.bad
        assert result.processes <= 2 + len(os.sched_getaffinity(0))  # this process may have a pool besides
        assert result.outcomes["decoded"] > 100
        assert result.outcomes["unreadable image: damaged"] > 100
        assert not result.outcomes["unreadable image: it crashed the decoder"]
