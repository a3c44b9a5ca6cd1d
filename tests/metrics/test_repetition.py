"""Self-BLEU against the reference implementation, given all other captions as references."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocoevalcap.bleu.bleu_scorer import BleuScorer

from photocritic.metrics.repetition import self_bleu


def reference(captions):
    """Score each caption against all others with pycocoevalcap."""
    scorer = BleuScorer(n=4)
    for place, caption in enumerate(captions):
        others = [" ".join(other) for number, other in enumerate(captions) if number != place]
        scorer += (" ".join(caption), others)
    return scorer.compute_score(option="closest", verbose=0)[1][3]


captions = st.lists(st.lists(st.sampled_from("abcd"), max_size=9), min_size=2, max_size=7)


@settings(max_examples=200, deadline=None)
@given(captions)
def test_self_bleu_equals_the_comparison_with_all_others(some):
    np.testing.assert_allclose(self_bleu(some), reference(some), rtol=1e-9, atol=1e-12)


def test_a_caption_that_another_repeats_scores_full_and_an_own_one_nothing():
    repeated = ["the", "dog", "runs", "over", "the", "grass"]
    found = self_bleu([repeated, ["one", "lonely", "lamp", "at", "night"], repeated])
    assert found[0] == found[2] == pytest.approx(1.0)
    assert found[1] < 1e-3


@pytest.mark.parametrize("some", [[], [["alone"]]])
def test_fewer_than_two_captions_repeat_nothing(some):
    assert self_bleu(some).tolist() == [0.0] * len(some)
