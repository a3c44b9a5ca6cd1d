"""Captions as vectors: near where they are about the same."""

import numpy as np

from photocritic.retrieval.text_space import TextSpace

SUBJECTS = ("wave beach sand boat", "street neon tower car", "face eyes smile hair")


def test_captions_about_the_same_are_near_and_unknown_ones_are_zero() -> None:
    captions = [words.split() for words in SUBJECTS for _ in range(4)]
    space = TextSpace(captions, dimensions=3)
    sea, beach, city = space.embed([["wave", "boat"], ["sand", "beach"], ["neon", "car"]])
    assert sea @ beach > 0.9 * np.linalg.norm(sea) * np.linalg.norm(beach)
    assert abs(sea @ city) < 1e-9
    assert not space.embed([["nothing", "known"]]).any()


def test_large_corpora_take_the_truncated_decomposition_to_the_same_space() -> None:
    random = np.random.default_rng(0)
    captions = [[f"w{n}" for n in random.zipf(1.4, 12) if n < 90] for _ in range(300)]
    few, exact = TextSpace(captions, dimensions=5), TextSpace(captions, dimensions=500)
    np.testing.assert_allclose(few.embed(captions), exact.embed(captions)[:, :5], atol=1e-6)


def test_captions_that_share_no_word_make_a_space_without_any() -> None:
    space = TextSpace([["wave"], ["neon"]])
    assert not space.embed([["wave"], []]).any()
