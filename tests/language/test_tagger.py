"""The bundled pipeline, as the filters see it."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from photocritic.errors import ParamsError
from photocritic.language import STOPWORDS, FastTagger, SpacyTagger, Tagger, known_words
from photocritic.language import tagger as choose
from photocritic.language.folder import BUNDLED
from photocritic.language.spelling import american


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger("bundled")


def test_tags_lemmas_and_classes(tagger: Tagger) -> None:
    (tokens,) = tagger.tag(["I love the colors of the leaves, and her eyes aren't very sharp."])
    by_text = {token.text: token for token in tokens}
    assert by_text["colors"].lemma == "color"
    assert by_text["leaves"].lemma == "leaf"
    assert by_text["eyes"][1:4] == ("eye", "NNS", "NOUN")
    assert by_text["sharp"].coarse == "ADJ"
    assert by_text["love"].coarse == "OTHER"
    assert by_text["the"].is_stop
    assert by_text["n't"].is_stop
    assert by_text["n't"].is_word
    assert not by_text[","].is_word
    assert not by_text["colors"].is_stop


def test_names_are_no_common_nouns(tagger: Tagger) -> None:
    (tokens,) = tagger.tag(["We met John Smith in California"])
    assert {token.coarse for token in tokens if token.text in {"John", "Smith", "California"}} == {"OTHER"}


def test_order_repetition_and_emptiness(tagger: Tagger) -> None:
    texts = ["nice shot", "", "a dog", "nice shot", "  "] * 300
    found = list(tagger.tag(texts))
    assert len(found) == len(texts)
    assert found[:5] == found[5:10] == found[-5:]
    assert [token.text for token in found[0]] == ["nice", "shot"]
    assert found[1] == found[4] == []


def test_streams(tagger: Tagger) -> None:
    endless = (f"photo number {number}" for number in iter(int, 1))
    assert len(next(tagger.tag(endless))) == 3


def test_an_overlong_text_loses_nothing(tagger: Tagger) -> None:
    words = ["sky", "light"] * 8_000
    (tokens,) = tagger.tag([" ".join(words)])
    assert [token.text for token in tokens] == words


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(max_size=80), max_size=4))
def test_any_text_is_tagged(tagger: Tagger, texts: list[str]) -> None:
    for text, tokens in zip(texts, tagger.tag(texts), strict=True):
        assert "".join("".join(token.text.split()) for token in tokens) == "".join(text.split())


def test_an_unknown_model_is_refused_in_one_line(tmp_path: Path) -> None:
    for name in ("en_no_such_model", str(tmp_path)):
        with pytest.raises(ParamsError, match=r"language\.model") as caught:
            Tagger(name)
        assert "\n" not in str(caught.value)


def test_the_weights_are_small_and_hold_no_pickles() -> None:
    files = [path for path in BUNDLED.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 20_000_000
    assert not any(path.suffix in {".pkl", ".pickle", ".pt"} for path in files)
    assert "CC BY-SA 4.0" in (BUNDLED / "meta.json").read_text()


def test_lexicon_and_spelling() -> None:
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


def test_the_model_chooses_the_tagger() -> None:
    assert isinstance(choose("bundled"), FastTagger)
    slow = choose(str(BUNDLED))
    assert isinstance(slow, SpacyTagger)
    (tagged,) = slow.tag(["The leaves are sharp"])
    assert (tagged.words[1], tagged.tags[1], tagged.lemmas[1]) == ("leaves", "NNS", "leaf")
    with pytest.raises(ParamsError, match=r"language\.model"):
        choose("en_no_such_model")
