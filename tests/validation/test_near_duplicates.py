"""Perceptual hashes that differ in few bits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.validation.near_duplicates import NEAR, HashIndex, near_any, near_pairs

PHOTOGRAPH = 0x0F1E_2D3C_4B5A_6978  # 32 bits are set, as of every photograph


def with_flips(value, places):
    """Return a hash with other bits at some places, as a signed number."""
    for place in places:
        value ^= 1 << place
    return value - (1 << 64) if value >> 63 else value


def drawn(rng, count):
    """Draw hashes with half of their bits set, and for each one copy that differs in few."""
    bits = rng.permuted(np.tile(np.arange(64) % 2, (count, 1)), axis=1).astype(bool)
    copies = bits.copy()
    for row, changed in zip(copies, rng.integers(0, 2 * NEAR, count), strict=True):
        row[rng.choice(64, changed, replace=False)] ^= True
    return np.unique(np.packbits(np.concatenate([bits, copies]), axis=1).view(np.uint64))


@pytest.mark.parametrize("seed", range(5))
def test_every_near_pair_is_found_and_no_other(seed):
    hashes = drawn(np.random.default_rng(seed), 300)
    distances = np.bitwise_count(hashes[:, None] ^ hashes[None])
    expected = np.argwhere(np.triu(distances <= NEAR, 1))
    assert len(expected) > 50
    np.testing.assert_array_equal(near_pairs(hashes), expected)


@pytest.mark.parametrize("seed", range(5))
def test_hashes_that_come_one_by_one_find_the_same_pairs(seed):
    hashes = drawn(np.random.default_rng(seed), 100)
    index, found = HashIndex(), []
    places = {int(value): place for place, value in enumerate(hashes.view(np.int64))}
    for value, place in places.items():
        found += [[places[other], place] for other in index.near(value)]
        index.add(value)
    assert sorted(found) == near_pairs(hashes).tolist()


@given(st.sets(st.integers(0, 63), max_size=2 * NEAR))
@settings(max_examples=300, deadline=None)
def test_a_copy_is_found_within_the_distance_wherever_its_bits_differ(places):
    copy = with_flips(PHOTOGRAPH, places)
    index = HashIndex()
    index.add(copy)
    both = np.array([copy]), np.array([PHOTOGRAPH])
    assert bool(index.near(PHOTOGRAPH)) == bool(near_any(*both)[0]) == (len(places) <= NEAR)


def test_pictures_with_few_frequencies_are_alike_only_if_they_are_equal():
    gradient, other = 0b1011, 0b1001
    index = HashIndex()
    index.add(gradient)
    assert index.near(other) == []
    assert near_pairs(np.array([other, gradient], np.uint64)).tolist() == []
    assert near_any(np.array([gradient, other]), np.array([gradient])).tolist() == [True, False]


def test_no_hashes_have_no_pairs():
    assert near_pairs(np.empty(0, np.uint64)).shape == (0, 2)
    assert near_any(np.empty(0, np.int64), np.empty(0, np.int64)).tolist() == []
