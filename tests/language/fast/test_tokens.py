"""The fast tokenizer."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.language.fast.tokens import words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Don't say it's mine, we'll cannot!", "Do n't say it 's mine , we 'll can not !"),
        ("won’t CAN'T the kids' o'clock", "wo n’t CA N'T the kids ' o'clock"),
        ("a well-known B&W shot (really)", "a well - known B & W shot ( really )"),
        ("Mr. Smith from the U.S. etc.", "Mr. Smith from the U.S. etc."),
        ("f/2.8 1/250s, 50mm at 10:30 for $20", "f/2.8 1/250s , 50mm at 10:30 for $ 20"),
        ("wow!!! nice...great.Love it :) <3", "wow !!! nice ... great . Love it :) <3"),
        ("see http://a.org/b?c=1. or me@x.org", "see http://a.org/b?c=1 . or me@x.org"),
    ],
)
def test_cuts_as_the_treebank(text: str, tokens: str) -> None:
    assert words(text) == tokens.split()


@given(st.text() | st.text(alphabet="aN'’t.-:)/1 $@mc", max_size=40))
def test_words_rejoin_the_text(text: str) -> None:
    assert "".join(words(text)) == "".join(text.split())


def test_a_hostile_text_takes_no_time() -> None:
    started = time.perf_counter()
    pieces = "a a- : 1, a. ab. @ a@ a/ can n't ' 1- http:// www.? # a'"
    for piece in pieces.split():
        words(piece * 50_000 + "a")
        words(piece * 50_000 + "'")
    assert time.perf_counter() - started < 10
