"""The fast tokenizer."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.text.captions import caption_tokens
from photocritic.text.fast.tokens import words

STORED = Path(__file__).with_name("tokens.tsv")  # made sentences, their words, their tokens as captions


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


def test_every_python_cuts_alike() -> None:
    # Before 3.11.5 Python matches some possessive quantifiers wrongly: "A 20-year-old man" became "a -old man" there.
    stored = [line.split("\t") for line in STORED.read_text(encoding="utf-8").split("\n")[:-1]]
    assert len(stored) > 300
    for text, pieces, tokens in stored:
        assert (" ".join(words(text)), " ".join(caption_tokens(text))) == (pieces, tokens), text


def test_a_hostile_text_takes_no_time() -> None:
    started = time.process_time()
    pieces = "a a- : 1, a. ab. @ a@ a/ can n't ' 1- http:// www.? # a' a_ 1_ #_a :~ _U. n't_"
    for piece in pieces.split():
        words(piece * 50_000 + "a")
        words(piece * 50_000 + "'")
    assert time.process_time() - started < 20
