"""The lexicon has what English has, in every form."""

from pathlib import Path

import pytest

from photocritic.text import english_lexicon, physical_nouns, web_lexicon

RARE = (Path(__file__).parent / "data" / "rare_words.txt").read_text(encoding="utf-8").split()


def test_it_has_rare_words():
    assert len(RARE) == 500
    assert [word for word in RARE if word not in english_lexicon()] == []


@pytest.mark.parametrize("word", ["poppies", "widow", "smoky", "storks", "smoked", "tidier", "geese"])
def test_it_has_every_form(word):
    assert word in english_lexicon()


@pytest.mark.parametrize("word", ["beutiful", "bokhe", "colros", "wooow", "", "recieve", "teh", 5])
def test_it_has_no_typos(word):
    assert word not in english_lexicon()


def test_web_texts_know_names_besides():
    assert "beyonce" not in english_lexicon()
    assert [word for word in ("beyonce", "obama", "poppies", *RARE) if word not in web_lexicon()] == []
    assert "zyxxyz" not in web_lexicon()


def test_physical_nouns_name_what_a_photograph_can_show():
    shown = {"dog", "snow", "fog", "sky", "crowd", "herd", "statue", "flame", "field", "eye", "wine"}
    others = {"idea", "color", "composition", "photo", "subject", "viewer", "thing", "white", "day", "challenge"}
    assert shown <= physical_nouns()
    assert not others & physical_nouns()
