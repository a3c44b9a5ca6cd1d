"""Splits depend on nothing but an image's name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.ingest.splits import SPLITS, Splits, by_hash, named

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


PHOTOGRAPH, OTHER = 0x0F1E_2D3C_4B5A_6978, 0x7187_9624_B5D3_C2A1  # perceptual hashes
NEAR = PHOTOGRAPH ^ 0b111_0000_0111  # differs in 6 bits


def test_photographs_that_look_alike_are_drawn_into_one_split() -> None:
    drawn = set()
    for seed in range(20):
        splits = Splits(seed, 0.3, 0.3)
        drawn.add(
            tuple(splits.assign(name, None, [name, phash])[0] for name, phash in [("a", PHOTOGRAPH), ("b", NEAR)])
        )
    assert drawn == {(split, split) for split in SPLITS}


def test_photographs_that_look_otherwise_are_drawn_alone() -> None:
    splits = Splits(7, 0.3, 0.3)
    for number in range(50):
        name, flat = f"{number}.jpg", 0
        hashes = [name, PHOTOGRAPH ^ (0b111_1111 << number % 2 * 32)] if number < 2 else [name, flat + number]
        assert splits.assign(name, None, hashes) == (by_hash(name, 7, 0.3, 0.3), "")


def test_a_photograph_that_looks_like_one_of_another_split_is_refused() -> None:
    splits = Splits(7, 0.1, 0.1)
    assert splits.assign("a", "test", ["a", PHOTOGRAPH]) == ("test", "")
    assert splits.assign("b", "train", ["b", NEAR]) == ("test", "a")
    assert splits.assign("c", "train", ["c", OTHER]) == ("train", "")


def test_a_photograph_that_looks_like_two_of_different_splits_is_refused() -> None:
    splits = Splits(7, 0.1, 0.1)
    splits.assign("a", "test", ["a", PHOTOGRAPH])
    splits.assign("b", "train", ["b", PHOTOGRAPH ^ 0b1111_1111])
    split, twin = splits.assign("c", None, ["c", PHOTOGRAPH ^ 0b1111])
    assert (split, twin) in {("test", "a"), ("train", "b")}
