"""Diversity against plain definitions written with sets."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.metrics import diversity

captions = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=6), min_size=2, max_size=12)


def different_share(some, threshold, denominator):
    def different(one, two):
        one, two = set(one), set(two)
        if one == two:
            return False
        size = {
            "union": len(one | two),
            "shorter": min(len(one), len(two)),
            "longer": max(len(one), len(two)),
        }[denominator]
        return not one & two or len(one & two) < threshold * size

    pairs = list(combinations(some, 2))
    return sum(different(*pair) for pair in pairs) / len(pairs)


@settings(max_examples=150, deadline=None)
@given(captions, st.sampled_from([0.03, 0.3, 0.5, 0.9]), st.sampled_from(["union", "shorter", "longer"]))
def test_overall_equals_the_comparison_of_all_pairs(some, threshold, denominator):
    expected = different_share(some, threshold, denominator)
    assert diversity.overall(some, threshold, denominator) == pytest.approx(expected)


def test_overall_over_several_blocks(monkeypatch):
    some = [[f"w{i % 40}", f"v{i % 7}"] for i in range(150)]
    whole = diversity.overall(some)
    monkeypatch.setattr(diversity, "_BLOCK", 16)
    assert diversity.overall(some) == pytest.approx(whole) == pytest.approx(different_share(some, 0.03, "union"))


def test_overall_of_the_same_caption_is_nothing():
    assert diversity.overall([["nice", "shot"]] * 5) == 0.0
    assert diversity.overall([["one"]]) == 0.0


def test_unique_by_position_counts_where_an_ngram_starts():
    found = diversity.unique_by_position([["a", "b", "c"], ["a", "c"], ["a", "b"], []], orders=(1, 2), positions=4)
    assert found == {1: [1, 2, 1, 0], 2: [2, 1, 0, 0]}


@given(captions)
def test_unique_by_position_is_bounded_by_the_captions_that_reach_there(some):
    for order, counts in diversity.unique_by_position(some, positions=8).items():
        for position, count in enumerate(counts):
            assert count <= sum(len(caption) >= position + order for caption in some)


def test_summary_of_a_monotonous_captioner():
    some = [["nice", "shot"], ["nice", "shot"], ["nice", "shot"], ["lovely", "light"]]
    found = diversity.summary(some, known={("nice", "shot")})
    assert found["most_frequent_share"] == 0.75
    assert found["novel_share"] == 0.25
    assert found["vocabulary"] == 4
    assert found["words"] == 2
    assert found["distinct_1"] == 0.5
    assert found["distinct_2"] == 0.5
    assert found["self_bleu_4"] < 1e-3  # two words are too few for a 4-gram that is repeated
    assert found["diversity"] == pytest.approx(0.5)


def test_remarks_are_less_diverse_than_descriptions_by_content_words_alone():
    remarks = [["nice", "shot"], ["nice", "shot"], ["great", "colours"], ["nice", "shot"]]
    sentences = [["the", thing, "on", "the", place] for thing, place in zip("abcd", "efgh", strict=True)]
    one, other = diversity.summary(remarks), diversity.summary(sentences)
    assert one["diversity"] == one["diversity_content"] == pytest.approx(0.5)
    assert other["diversity"] == 0.0
    assert other["diversity_content"] == 1.0


def test_no_captions_at_all():
    assert set(diversity.summary([], known=set()).values()) == {0.0}
