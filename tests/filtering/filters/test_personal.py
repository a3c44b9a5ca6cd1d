"""Texts with personal information are rejected."""

import pytest

from tests.filtering.batches import reasons


@pytest.mark.parametrize(
    "text",
    [
        "my dog", "I love the sea", "i love the sea", "It's me!", "Us at the beach", "we were here", "I'm on a boat",
        "OUR house", "a friend of mine", "Mine is the red one", "Dad's boat", "with @jane_doe at the lake", "let's go",
    ],
)  # fmt: skip
def test_personal_information_is_rejected(text):
    assert reasons("personal", [text]) == ["personal"]


@pytest.mark.parametrize(
    "text",
    [
        "a dog", "The US flag", "World War I memorial", "An abandoned coal mine is flooded", "write to a@b.org",
        "trees @ the lake", "an IMAX cinema", "i.e. a tree", "I-95 bridge", "someone else's dad", "hours of games",
    ],
)  # fmt: skip
def test_what_only_looks_like_it_is_kept(text):
    assert reasons("personal", [text]) == [""]
