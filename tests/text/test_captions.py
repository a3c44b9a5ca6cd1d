"""caption_tokens against what the COCO evaluation's tokenizer gives, and on anything."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.text import caption_tokens

# Right-hand sides made with Stanford's PTBTokenizer 3.4.1 and the evaluation's punctuation list; brackets, emoticons
# and runs of punctuation, which it leaves in place, are removed.
REFERENCE = [
    ("A child in a pink dress is climbing stairs .", "a child in a pink dress is climbing stairs"),
    ("The dog's ball -- it doesn't roll!", "the dog 's ball it does n't roll"),
    ("It cannot be; I'm gonna go.", "it can not be i 'm gon na go"),
    ("Shot at f/8, 1/250 sec.", "shot at f/8 1/250 sec"),
    ("Great shot. Love the colors...nice", "great shot love the colors nice"),
    ("Two-tone B&W, 50% crop.", "two-tone b&w 50 % crop"),
    ('He said "wow" (really)', "he said wow really"),
    ("They're Mr. Smith's kids, aren't they?", "they 're mr. smith 's kids are n't they"),
    ("the U.S. flag and 3.5 stars", "the u.s. flag and 3.5 stars"),
    ("Nice! :) :-D", "nice"),
]


SPLIT_BY_THE_REFERENCE = {"cannot", "gonna", "wanna", "gotta", "gimme", "lemme"}


@pytest.mark.parametrize(("text", "tokens"), REFERENCE)
def test_equals_the_reference_tokenizer(text: str, tokens: str) -> None:
    assert caption_tokens(text) == tokens.split()


@given(st.text())
def test_any_text_gives_clean_lower_case_tokens(text: str) -> None:
    for token in caption_tokens(text):
        assert token
        assert token == token.lower()
        assert not any(character.isspace() for character in token)


@given(st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True).filter(lambda word: word not in SPLIT_BY_THE_REFERENCE)))
def test_plain_words_stay_as_they_are(words: list[str]) -> None:
    assert caption_tokens(" ".join(words)) == words


def test_a_hostile_text_takes_no_time() -> None:
    started = time.perf_counter()
    for piece in ("a", "a-", ":", "1,", "a.", "ab.", "@", "a/", "can", "n't", "'", "1-", "http://"):
        caption_tokens(piece * 100_000 + "a")
    assert time.perf_counter() - started < 10
