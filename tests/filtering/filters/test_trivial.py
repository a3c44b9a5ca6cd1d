"""Texts of keywords are rejected."""

from tests.filtering.batches import reasons


def test_captions_with_a_verb_a_preposition_or_an_adjective_are_kept():
    texts = ["dog runs in snow", "Under the bridge", "Old Red Barn", "Rainy Day", "Dog running"]
    assert reasons("trivial", texts) == [""] * 5


def test_keywords_are_trivial():
    assert reasons("trivial", ["sunset", "Christmas Lights", "flower, garden, bee", "", "!!!"]) == ["trivial"] * 5
