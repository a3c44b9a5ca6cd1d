"""The signals of comments, and the specificity that they are told by without any judgement."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.filtering.critique.comment_signals import NAMES
from tests.filtering.critique.conftest import tag


def values(bundled, text):
    signals = bundled.signals.extract(tag([text]))
    return dict(zip(NAMES, signals.values[0], strict=True))


def test_every_signal_has_its_name(bundled):
    assert bundled.signals.extract(tag(["a dog"])).values.shape == (1, len(NAMES))
    assert len(set(NAMES)) == len(NAMES)


def test_counts_and_shares_are_of_words_without_punctuation(bundled):
    found = values(bundled, "I would crop the left side , but the sky is lovely !")
    assert found["words"] == pytest.approx(np.log1p(11))
    assert found["suggestion"] == 1
    assert found["place"] == 3
    assert found["contrast"] == 1
    assert found["the (share)"] == pytest.approx(2 / 11)
    assert found["I (share)"] == pytest.approx(1 / 11)


def test_a_comment_without_words_has_signals_too(bundled):
    signals = bundled.signals.extract(tag(["...", "a dog"]))
    assert np.isfinite(signals.values).all()
    assert not signals.meaning[0][len(signals.meaning[0]) // 2 :].any()


def test_the_specific_comment_is_above_the_safe_one_of_the_same_length(bundled):
    specific, safe = bundled.signals.specificity(
        tag(["the horizon behind the boat is tilted to the left", "i really like this very nice and lovely photo here"])
    )
    assert specific > 4 * safe


def test_saying_it_again_or_at_length_makes_no_comment_more_specific(bundled):
    once, again = bundled.signals.specificity(tag(["the boat in the corner", "the boat in the corner " * 5]))
    assert again == pytest.approx(once)


def test_the_words_of_the_specificity_add_up_to_it(bundled):
    (comment,) = tag(["the horizon behind the old boat is tilted and the red sky to the left is overexposed"])
    words = bundled.signals.particular_words(comment)
    assert sum(words.values()) == pytest.approx(bundled.signals.specificity([comment])[0], rel=1e-5)
    assert "horizon" in words
    assert len(words) <= 6


@settings(deadline=None)  # words seen first are looked up first
@given(st.lists(st.text(max_size=40), max_size=5))
def test_a_comment_has_the_same_signals_alone_as_among_others(bundled, texts):
    tagged = tag([*texts, "the dog in the grass"])
    together = bundled.signals.extract(tagged)
    assert np.isfinite(together.values).all()
    alone = bundled.signals.extract(tagged[-1:])
    assert np.allclose(together.values[-1], alone.values[0])
    assert np.allclose(together.meaning[-1], alone.meaning[0])
