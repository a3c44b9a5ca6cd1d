"""Splits depend on nothing but an image's name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.ingest.splits import SPLITS, by_hash, named

names = st.text(st.characters(exclude_categories=["Cs"]))
shares = st.floats(0, 0.5)


@given(st.sets(names), st.sets(names), st.integers(0, 2**32 - 1))
def test_adding_images_moves_none(some: set[str], more: set[str], seed: int) -> None:
    before = {name: by_hash(name, seed, 0.1, 0.1) for name in sorted(some)}
    after = {name: by_hash(name, seed, 0.1, 0.1) for name in sorted(some | more, reverse=True)}
    assert before.items() <= after.items()


@given(names, shares, shares)
def test_a_growing_share_only_takes_images_in(name: str, share: float, other: float) -> None:
    low, high = sorted((share, other))
    for split, shares_of in (("test", lambda x: (0.1, x)), ("val", lambda x: (x, 0.1))):
        if by_hash(name, 7, *shares_of(low)) == split:
            assert by_hash(name, 7, *shares_of(high)) == split


def test_shares_are_met_and_seeds_differ() -> None:
    drawn = [by_hash(f"{number}.jpg", 7, 0.2, 0.1) for number in range(20_000)]
    assert {split: round(drawn.count(split) / len(drawn), 2) for split in SPLITS} == {
        "train": 0.7,
        "val": 0.2,
        "test": 0.1,
    }
    assert drawn[:100] != [by_hash(f"{number}.jpg", 8, 0.2, 0.1) for number in range(100)]


@pytest.mark.parametrize(
    ("word", "split"), [(" Validation", "val"), ("restval", "train"), ("TEST", "test"), ("foo", None)]
)
def test_words_for_splits(word: str, split: str | None) -> None:
    assert named(word) == split
