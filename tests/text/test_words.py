"""The lists of English words, and the two tokenizers: for tagging, and for captions against the COCO evaluation's."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.captioning.vocabulary import join_tokens
from photocritic.text import STOPWORDS, american, caption_tokens, known_words
from photocritic.text.words import split_for_tagging

STORED = Path(__file__).with_name("tokens.tsv")  # made sentences, their words, their tokens as captions
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
    assert split_for_tagging(text) == tokens.split()


@given(st.text() | st.text(alphabet="aN'’t.-:)/1 $@mc", max_size=40))
def test_words_rejoin_the_text(text: str) -> None:
    assert "".join(split_for_tagging(text)) == "".join(text.split())


def test_every_python_cuts_alike() -> None:
    # Before 3.11.5 Python matches some possessive quantifiers wrongly: "A 20-year-old man" became "a -old man" there.
    stored = [line.split("\t") for line in STORED.read_text(encoding="utf-8").split("\n")[:-1]]
    assert len(stored) > 300
    for text, pieces, tokens in stored:
        assert (" ".join(split_for_tagging(text)), " ".join(caption_tokens(text))) == (pieces, tokens), text


@pytest.mark.parametrize(
    ("text", "tokens", "joined"),
    [
        ("Great shot, love it!", "great shot , love it !", "great shot, love it!"),
        ('Hmm... why f/8? (really) "so"; yes: B&W.', "hmm ... why f/8 ? really so ; yes : b&w .",
         "hmm... why f/8? really so; yes: b&w."),
        ("It doesn't, Mr. X :) 3.5 stars", "it does n't , mr. x 3.5 stars", "it does n't, mr. x 3.5 stars"),
    ],
)  # fmt: skip
def test_punctuation_marks_are_tokens_where_that_is_wanted(text: str, tokens: str, joined: str) -> None:
    found = caption_tokens(text, punctuation=True)
    assert (" ".join(found), join_tokens(found)) == (tokens, joined)
    assert caption_tokens(joined) == caption_tokens(text) == [one for one in found if any(map(str.isalnum, one))]


@given(st.text(alphabet="aN'’t.-:,!?;)/1 $@mc&", max_size=40))
def test_joined_tokens_without_marks_are_the_words_and_single_spaces(text: str) -> None:
    tokens = caption_tokens(text)
    assert join_tokens(tokens) == " ".join(tokens)


def test_a_hostile_text_takes_no_time() -> None:
    started = time.process_time()
    pieces = "a a- : 1, a. ab. @ a@ a/ can n't ' 1- http:// www.? # a' a_ 1_ #_a :~ _U. n't_"
    for piece in pieces.split():
        split_for_tagging(piece * 50_000 + "a")
        split_for_tagging(piece * 50_000 + "'")
    assert time.process_time() - started < 20


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


def test_a_hostile_caption_takes_no_time() -> None:
    started = time.perf_counter()
    for piece in ("a", "a-", ":", "1,", "a.", "ab.", "@", "a/", "can", "n't", "'", "1-", "http://"):
        caption_tokens(piece * 100_000 + "a")
    assert time.perf_counter() - started < 10


def test_known_words_and_american_spellings() -> None:
    assert {"focus", "good", "light", "photo", "the"} <= known_words()
    assert "bonjour" not in known_words()
    assert [american(word) for word in ("colour", "colourful", "grey", "hour", "four", "light")] == [
        "color",
        "colorful",
        "gray",
        "hour",
        "four",
        "light",
    ]
    assert all(word == word.lower() for word in STOPWORDS)
