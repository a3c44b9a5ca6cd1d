"""CC's text filters: what passes, what is rejected, and why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.core.errors import ParamsError
from tests.filtering.batches import batch, judge, make, reasons

GOOD = [
    "A Pakistani worker helps to clear the debris from the Taj Mahal Hotel November 7, 2005 in Balakot, Pakistan.",
    "Musician Justin Timberlake performs at the 2017 Pilgrimage Music & Cultural Festival on September 23, 2017 in "
    "Franklin, Tennessee.",
    "Side view of a British Airways Airbus A319 aircraft on approach to land with landing gear down",
    "A young girl plays with her dog in the garden.",
    "2 horses graze on a meadow in front of the barn.",
]
RULES = ["well_formed", "token_repetition", "capitalisation", "polarity", "profanity", "templates"]
REJECTED = [
    ("well_formed", "Dogs play on grass in summer.", "no_determiner"),
    ("well_formed", "That is so very cool to see!", "no_noun"),
    ("well_formed", "The dog jumps.", "no_preposition"),
    ("well_formed", "Wedding dress bride bouquet flower rose church cake ring photo ideas with the", "high_noun_ratio"),
    ("well_formed", "The red of the red of the red of the dress of the red", "low_unique_word_ratio"),
    ("token_repetition", "Red dress long dress party dress summer dress", "token_repetition"),
    ("capitalisation", "a dog plays in the garden.", "first_word_not_capitalised"),
    ("capitalisation", "The Best Red Shoes For The Summer", "too_many_capitalised"),
    ("capitalisation", "BUY NOW", "too_many_capitalised"),
    ("polarity", "Wonderful, amazing, beautiful and happy, the best and loveliest gift, I love it!", "too_positive"),
    ("polarity", "Horrible murder, terrible hatred, killed and tortured victims of an evil war.", "too_negative"),
    ("profanity", "A fucking dog in the garden.", "profanity"),
    ("profanity", "What a piece of bull shit on the wall", "profanity"),
    ("profanity", "An @ss in the garden, a b1tch at the door", "profanity"),
    ("templates", "Embedded image permalink", "template"),
    ("templates", "Profile photo of a user", "template"),
    ("templates", "The singer's profile photo", "template"),
    ("boilerplate", "Click to enlarge picture", "only_boilerplate"),
]


@pytest.mark.parametrize("rule", RULES)
def test_good_captions_pass(rule):
    assert reasons(rule, GOOD) == [""] * len(GOOD)


@pytest.mark.parametrize(("rule", "text", "reason"), REJECTED)
def test_a_bad_caption_is_rejected_with_its_reason(rule, text, reason):
    assert reasons(rule, [text]) == [reason]


@pytest.mark.parametrize(
    ("text", "cropped"),
    [
        ("Click to enlarge picture: a dog in the garden", "a dog in the garden"),
        (
            "Side view of an aircraft with landing gear down - Stock Image",
            "Side view of an aircraft with landing gear down",
        ),
        ("A dog on a meadow | Stock Photo", "A dog on a meadow"),
        ("Stock Photo - A dog on a meadow (click to enlarge)", "A dog on a meadow"),
        ("A dog on a meadow Royalty Free Stock Photo", "A dog on a meadow"),
        ("A dog sleeps in the garden.", "A dog sleeps in the garden."),
        ("She sells a stock photo", "She sells a stock photo"),
    ],
)
def test_boilerplate_is_cropped(text, cropped):
    (judged,) = judge(make("boilerplate"), batch([text]))
    assert judged.texts == [cropped]
    assert judged.reasons == [""]


@given(st.text(max_size=60))
def test_cropping_twice_crops_no_more(text):
    rule = make("boilerplate")
    (once,) = judge(rule, batch([text]))
    (twice,) = judge(rule, batch(once.texts))
    assert twice.texts == once.texts


def test_sequences_of_boilerplate_may_be_chosen():
    (judged,) = judge(make("boilerplate", suffixes=["my shop"]), batch(["A dog on a meadow - My Shop"]))
    assert judged.texts == ["A dog on a meadow"]


def test_innocent_words_of_the_list_of_profanities_pass():
    assert reasons("profanity", ["A pot on a steamy slope by the sandbar."]) == [""]
    assert reasons("profanity", ["A pot."], allowed=[]) == ["profanity"]


def test_a_list_of_ones_own_is_read(tmp_path):
    listed = tmp_path / "words.txt"
    listed.write_text("soup\nfried egg\n", encoding="utf-8")
    texts = ["A bowl of soup.", "A fried egg.", "An egg, fried.", "A dog."]
    assert reasons("profanity", texts, file=str(listed)) == ["profanity", "profanity", "", ""]


def test_a_missing_list_is_named(tmp_path):
    with pytest.raises(ParamsError, match=r"profanity\.file"):
        reasons("profanity", ["A dog."], file=str(tmp_path / "none.txt"))


def test_what_must_be_there_may_be_chosen():
    assert reasons("well_formed", ["Dogs play."], determiner=False, preposition=False, max_noun_share=1.0) == [""]
    repetitive = "The red of the red of the red of the dress of the red"
    assert reasons("well_formed", [repetitive], min_unique_share=0.25) == [""]
