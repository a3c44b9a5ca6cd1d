"""Elongated words and typos."""

import re
from collections import Counter

import pytest

from photocritic.filtering.filters.spelling import corrections, corrector, count_words, shortener
from photocritic.text import english_lexicon, known_words
from tests.filtering.batches import batch, judge, make
from tests.text.test_lexicon import RARE

CORPUS = ["the colors of the bokeh", "beautiful bokeh", "a gannet and its shadow", "the garnet stone"] * 60


def fixed(texts, folder, **options):
    (found,) = judge(make("spelling", **options), batch([*CORPUS, *texts]), folder=folder)
    return found.texts[len(CORPUS) :]


def test_typos_are_corrected_by_frequency_and_edit_distance(tmp_path):
    texts = ["Beutiful bokhe", "I like the colros", "woooow, BEAUTIFULL", "gannet", "Beauti"]
    assert fixed(texts, tmp_path) == [
        "Beautiful bokeh", "I like the colors", "wow, BEAUTIFULL", "gannet", "Beauti",
    ]  # fmt: skip


def test_typos_are_the_same_however_many_words_are_compared_at_once(monkeypatch):
    counts = {
        "bokeh": 500,
        "boat": 300,
        "beautiful": 900,
        "bokeg": 1,
        "bokhe": 2,
        "beutiful": 1,
        "beautifil": 3,
        "baot": 1,
    }
    all_at_once = corrections(counts, set())
    monkeypatch.setattr("photocritic.filtering.filters.spelling._PAIRS", 1)
    assert corrections(counts, set()) == all_at_once
    assert all_at_once["bokeg"] == "bokeh"
    assert all_at_once["beutiful"] == "beautiful"


def test_each_can_be_switched_off(tmp_path):
    assert fixed(["woooow beutiful"], tmp_path / "a", typos=False) == ["wow beutiful"]
    assert fixed(["woooow beutiful"], tmp_path / "b", elongations=False) == ["woooow beautiful"]


def test_english_words_other_forms_and_rivals_are_no_typos():
    counts = {
        "house": 500,
        "hours": 400,
        "horse": 1,
        "houses": 1,
        "sunflare": 200,
        "sunflared": 2,
        "bokeh": 99,
        "boket": 2,
    }
    assert corrections(counts, {"house", "hours", "horse"}) == {}
    assert corrections(counts | {"bokeh": 100}, {"house", "hours", "horse"}) == {"boket": "bokeh"}


def test_rare_words_are_no_typos_of_words_that_everybody_uses():
    near = {word[:-1] + letter for word in RARE for letter in "aeioustrnl"} - set(RARE)
    frequent = dict.fromkeys([*near, "puppies", "window", "smoke", "store"], 1000)
    rare = dict.fromkeys([*RARE, "poppies", "widow", "smoky", "stork"], 1)
    assert rare.keys().isdisjoint(corrections(frequent | rare, english_lexicon()))
    assert corrections(frequent | rare, set())["widow"] == "window"


def test_capitals_stay():
    correct = corrector({"bokhe": "bokeh"})
    assert correct("Bokhe, bokhe and BOKHE; McBokhe") == "Bokeh, bokeh and BOKHE; McBokhe"


def test_known_words_are_never_changed(tmp_path):
    words = [word for word in sorted(known_words()) if len(word) > 4 and not re.search(r"(.)\1\1", word)][:400]
    assert fixed(words, tmp_path) == words


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("woooow", "wow"),
        ("Sooooo goooood", "So good"),
        ("bookeeeeh", "bookeh"),
        ("niiiice", "nice"),
        ("zzzzqqqqxxxx", "zqx"),
        ("a tree", "a tree"),
    ],
)
def test_elongated_words_are_resolved_by_the_corpus(text: str, resolved: str) -> None:
    counts: Counter[str] = Counter()
    count_words(["good bookeh, wow, good goood", "so nice", "a god"], counts)
    assert shortener(counts, known_words())(text) == resolved
