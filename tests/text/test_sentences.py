"""Comments are split where a reader would split them, and nothing of them is lost."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.text import FastTagger, split_sentences

TAGGER = FastTagger()


def split(text: str, most: int = 1_000_000) -> list[str]:
    (found,) = split_sentences([text], TAGGER.tag, most)
    return found


@pytest.mark.parametrize(
    "marked",
    [
        "Great shot.|I love the light.",
        "great shot. |i love it",
        "Great shot!!! |wow",
        "Is it sharp??|Yes",
        "Nice shot...|The light is soft",
        "The light ... is soft, isn't it.",
        "great shot.|love the light",
        "A 2.8 lens at f/2.8 and 1/250. |Sharp",
        "See e.g. the boat, or i.e. the harbor.|Fine",
        "Mr. Smith vs. J. Jones.|They shout",
        "Birds, boats, etc. in the harbor.|Calm",
        "It is on www.example.com and boat.jpg today.|Look",
        "1. Crop it. |2. Move it.",
        "I like it :) |The eyes shine",
        "I like it. :) |The eyes shine",
        "He said \"Wow!\" and left. |Then he came back.",
        '"Crop it." |She is right.',
        "First thing\n|- Second thing\n\n|third thing",
        "a line that goes on and on and on, so that it was broken\nwithin a sentence",
        "Shot at 10 a.m. |The light is soft.",
        "The U.S. flag waves.",
        "B&W. |Good",
        "...nice",
        "nice!!!",
        ":) Lovely",
        "Lovely :)",
        "Soft light… |Great mood",
    ],
)  # fmt: skip
def test_where_sentences_end(marked: str) -> None:
    assert split(marked.replace("|", "")) == [piece.strip() for piece in marked.split("|")]


def test_a_long_text_without_marks_is_split_into_clauses() -> None:
    text = "i like the soft light on the boat the sky is too dark i would crop the left side and lift the shadows"
    assert split(text) == [
        "i like the soft light on the boat", "the sky is too dark", "i would crop the left side and lift the shadows",
    ]  # fmt: skip
    assert split("i like the light the sky is dark") == ["i like the light the sky is dark"], "too short to be cut"
    assert len(split(text.replace("boat the", "boat, the"))) == 1, "somebody who sets commas would set points as well"


def test_a_text_of_one_sentence_stays_as_it_was() -> None:
    assert split("  a  boat \n") == ["  a  boat \n"]
    assert split("") == [""]
    assert split(" ?! ") == [" ?! "]


def test_the_last_sentence_has_all_that_is_too_much() -> None:
    assert split("One. Two. Three. Four.", most=2) == ["One.", "Two. Three. Four."]


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), st.text("ab AB.!?…,\n\"')(:;=/1@ ", max_size=200)))
def test_sentences_make_up_the_text(text: str) -> None:
    found = split(text)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(any(map(str.isalnum, sentence)) for sentence in found) or len(found) == 1


@pytest.mark.parametrize(
    "piece", [".", "!?", ". ", " ", "\n", ":)", ")", '."', "a.b", "a. ", "...a", "<3 ", ":((", ". \n"]
)
def test_no_text_takes_long(piece: str) -> None:
    def seconds(size: int) -> float:
        text = (piece * size)[:size]
        began = time.process_time()
        for hostile in (text, text + "5", text + "x"):
            split(hostile)
        return time.process_time() - began

    assert seconds(20_000) < 9 * max(seconds(5_000), 0.05)  # four times as long a text: 4 where time is proportional
