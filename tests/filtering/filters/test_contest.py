"""Talk about the contest, by our phrases and by the words of AIC's authors."""

import pytest

from photocritic.core.errors import ParamsError
from tests.filtering.batches import make, reasons

BOTH = [
    "Good luck in the challenge!",
    "Congratulations, my vote is yours",
    "DPC at its best, I voted for this entry",
]
AUTHORS_ALONE = [
    "The title says it all",
    "I have no comment on the crop",
    "Thanks for sharing these mountains",
    "Thank you, a lovely dog",
    "Here is a short critique of the light",
    "This should win an award",
    "It fits the theme of light and shadow",
    "A high rating from me for the sharpness",
    "One of my favourite views of this bridge",
    "The girl has a red ribbon in her hair",
    "Many entries show a single boat",
    "I scored the sky and the water apart",
]
NEITHER = [
    "A lucky dog runs along the beach",
    "The untitled book lies on the table",
    "Challenging light, yet the colors are soft",
    "Thankfully the horizon is straight",
]


@pytest.mark.parametrize("text", BOTH)
def test_talk_about_the_contest_is_rejected_by_both_lists(text: str) -> None:
    assert reasons("contest", [text]) == reasons("contest", [text], words="authors") == ["contest_words"]


@pytest.mark.parametrize("text", AUTHORS_ALONE)
def test_the_authors_words_are_an_option(text: str) -> None:
    assert reasons("contest", [text]) == reasons("contest", [text], words="ours") == [""]
    assert reasons("contest", [text], words="authors") == ["contest_words"]


@pytest.mark.parametrize("text", NEITHER)
def test_other_words_that_begin_alike_pass_both_lists(text: str) -> None:
    assert reasons("contest", [text]) == reasons("contest", [text], words="authors") == [""]


def test_another_list_is_refused() -> None:
    with pytest.raises(ParamsError, match=r"filter\.chain\[0\]\.contest\.words"):
        make("contest", words="mine")
