"""The trigram model is a distribution, and knows what it has read."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.lm import KneserNeyInterpolated
from nltk.util import everygrams

from photocritic.styles.language_model import END, START, UNKNOWN, TrigramModel

SENTENCES = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=7), min_size=1, max_size=25)


@settings(max_examples=60, deadline=None)
@given(SENTENCES, st.lists(st.sampled_from([*"abcdef", "unseen"]), max_size=3))
def test_probabilities_sum_to_one_after_any_words(sentences: list[list[str]], history: list[str]) -> None:
    model = TrigramModel(sentences)
    total = sum(model.probability(word, history) for word in model.vocabulary)
    assert total == pytest.approx(1.0)
    assert model.probability("unseen", history) == model.probability(UNKNOWN, history) > 0


@settings(max_examples=30, deadline=None)
@given(SENTENCES)
def test_one_sentence_repeated_has_the_perplexity_of_one(sentences: list[list[str]]) -> None:
    model = TrigramModel(sentences)
    assert model.perplexity(*[sentences[0]] * 3) == pytest.approx(model.perplexity(sentences[0]))
    expected = math.exp(-model.log_probability(sentences[0]) / (len(sentences[0]) + 1))
    assert model.perplexity(sentences[0]) == pytest.approx(expected)


def test_what_was_read_is_likelier_than_its_shuffle() -> None:
    model = TrigramModel(
        [f"the {noun} runs to its love".split() for noun in ["dog", "cat", "man", "girl", "boy", "bird"]] * 3
    )
    assert model.perplexity(["the", "dog", "runs", "to", "its", "love"]) < 4
    assert model.perplexity(["love", "its", "to", "runs", "dog", "the"]) > 10
    assert model.perplexity(["the", "zebra", "runs", "to", "its", "love"]) > model.perplexity(
        ["the", "dog", "runs", "to", "its", "love"]
    )
    assert model.probability(END, ["the", "dog", "runs", "to", "its", "love"]) > 0.5


def test_words_of_many_contexts_win_in_unknown_contexts() -> None:
    """The textbook's case: "francisco" is frequent, but stands only after "san"."""
    sentences = [["san", "francisco"]] * 20 + [
        [word, "glasses"] for word in ["red", "blue", "old", "new", "his", "her", "my"]
    ]
    model = TrigramModel(sentences)
    assert model.probability("glasses", ["unseen"]) > model.probability("francisco", ["unseen"])


def of_nltk(sentences: list[list[str]], order: int, discount: float) -> KneserNeyInterpolated:
    """Fit NLTK's model without n-grams that predict the beginning, whose sums would exceed 1."""
    model = KneserNeyInterpolated(order, discount=discount)
    padded = [[START] * (order - 1) + sentence + [END] for sentence in sentences]
    grams = [[gram for gram in everygrams(words, max_len=order) if gram[-1] != START] for words in padded]
    model.fit(grams, (word for words in padded for word in words))
    return model


@settings(max_examples=25, deadline=None)
@given(SENTENCES, st.sampled_from([0.1, 0.5, 0.75]))
def test_with_one_discount_it_is_the_kneser_ney_of_nltk(sentences: list[list[str]], discount: float) -> None:
    """NLTK's single words have no discount; what begins a sentence is a pair of words here, and there in order 2."""
    ours = TrigramModel(sentences, [(0.0,) * 3, (discount,) * 3, (discount,) * 3])
    theirs = {order: of_nltk(sentences, order, discount) for order in (2, 3)}
    words = sorted(ours.vocabulary - {UNKNOWN})
    for word in words:
        assert ours.probability(word, []) == pytest.approx(theirs[2].score(word, [START]), abs=1e-12)
        for history in (["a"], ["a", "b"], ["f", "a"], ["b", "b"]):
            context = [START, *history][-2:]
            assert ours.probability(word, history) == pytest.approx(theirs[3].score(word, context), abs=1e-12)
