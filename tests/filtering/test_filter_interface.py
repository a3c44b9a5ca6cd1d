"""Stylised captions: cleaned like others, spared by what asks for factual captions."""

import pytest

from photocritic.filtering import filter_interface
from photocritic.filtering.filter_interface import FittedFilter
from tests.filtering.batches import batch, image, judge, make

SEVERE = {"length": {"min_tokens": 50}, "polarity": {"lowest": 0.99, "highest": 0.99}}
FACTUAL = {
    "capitalisation": "not a capital in sight",
    "contest": "I voted for this entry and good luck",
    "hypernyms": "on Monday",
    "image_text": "A boat on the water",
    "length": "Short and dear",
    "personal": "This is my sunset",
    "polarity": "A grey wall",
    "templates": "Profile photo",
    "token_repetition": "dress red dress long dress blue dress",
    "trivial": "sunset",
    "well_formed": "sunset beach boat",
}
NEEDED = {
    "aspect_ratio": "A boat",
    "boilerplate": "Stock photo",
    "empty": "!!",
    "english": "Der Hund läuft über die grüne Wiese",
    "image_size": "A boat",
    "jpeg_only": "A boat",
    "profanity": "This is fucking bright",
}
IMAGE = image(width=900, height=300, format="GIF", labels=["mountain"])


def judged(name, text, style, folder):
    """Judge one text alone: its reason, and what became of it."""
    only = batch([text], images=["i"], styles=[style], known={"i": IMAGE})
    (done,) = judge(make(name, **SEVERE.get(name, {})), only, folder=folder)
    return done.reasons[0], done.texts[0]


@pytest.mark.parametrize("name", FACTUAL)
def test_what_asks_for_factual_captions_spares_stylised_ones_as_they_are(name, tmp_path):
    text = FACTUAL[name]
    assert judged(name, text, None, tmp_path)[0]
    assert judged(name, text, "humorous", tmp_path) == ("", text)


@pytest.mark.parametrize("name", NEEDED)
def test_what_any_caption_needs_is_asked_of_stylised_ones(name, tmp_path):
    reason, _ = judged(name, NEEDED[name], None, tmp_path)
    assert reason
    assert judged(name, NEEDED[name], "humorous", tmp_path)[0] == reason


@pytest.mark.parametrize("name", ["entity_types", "query_noun", "rare_tokens", "repeated", "score"])
def test_fitted_filters_spare_them_too(name, tmp_path):
    options = {"file": str(tmp_path / "words.txt")} if name in {"query_noun", "rare_tokens"} else {}
    (tmp_path / "words.txt").write_text("dog\n", encoding="utf-8")
    both = batch(["A boat", "A boat"], styles=[None, "romantic"])
    both.columns["entities"] = [["boat"], ["boat"]]
    (done,) = judge(make(name, **options), both, folder=tmp_path)
    assert done.reasons[0]
    assert done.reasons[1] == ""


def test_they_are_cleaned_like_others():
    (done,) = judge(make("clean"), batch(["<b>A boat</b> !!!!"] * 2, styles=[None, "romantic"]))
    assert done.texts[0] == done.texts[1] != "<b>A boat</b> !!!!"


def test_every_filter_is_tried_here_or_rejects_nothing():
    fitted = {name for name in filter_interface.available() if issubclass(filter_interface.find(name), FittedFilter)}
    silent = {name for name in filter_interface.available() if not filter_interface.find(name).reasons}
    assert set(filter_interface.available()) - fitted - silent - {"content_safety"} == {*FACTUAL, *NEEDED}
    spared = {name for name in filter_interface.available() if not filter_interface.find(name).rejects_styled}
    assert spared == {*FACTUAL} | fitted | silent
