"""The taggers of the bundled pipeline, the fast one and spaCy's, as the filters see them."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from photocritic.core.errors import ParamsError
from photocritic.text import STOPWORDS, FastTagger, SpacyTagger, Tagger, coarse
from photocritic.text import tagger as choose
from photocritic.text.words import BUNDLED


@pytest.fixture(scope="module")
def fast() -> FastTagger:
    return FastTagger()


@pytest.fixture(scope="module")
def slow() -> SpacyTagger:
    return SpacyTagger("bundled")


@pytest.fixture(scope="module", params=["fast", "spacy"])
def tagger(request: pytest.FixtureRequest, slow: SpacyTagger) -> Tagger:
    return FastTagger() if request.param == "fast" else slow


def test_tags_lemmas_and_classes(tagger: Tagger) -> None:
    (tagged,) = tagger.tag(["I love the colors of the leaves, and her eyes aren't very sharp."])
    by_text = {word: (lemma, tag, coarse(tag)) for word, tag, lemma in zip(*tagged, strict=True)}
    assert by_text["colors"] == ("color", "NNS", "NOUN")
    assert by_text["leaves"] == ("leaf", "NNS", "NOUN")
    assert by_text["eyes"] == ("eye", "NNS", "NOUN")
    assert by_text["sharp"][2] == "ADJ"
    assert by_text["very"][2] == "ADV"
    assert by_text["love"][2] == by_text["the"][2] == by_text[","][2] == "OTHER"
    assert {"i", "the", "of", "and", "her", "n't", "very"} <= STOPWORDS
    assert STOPWORDS.isdisjoint({"colors", "leaves", "eyes", "sharp"})


def test_names_are_no_common_nouns(tagger: Tagger) -> None:
    (tagged,) = tagger.tag(["We met John Smith in California"])
    classes = {word: coarse(tag) for word, tag in zip(tagged.words, tagged.tags, strict=True)}
    assert {classes[name] for name in ("John", "Smith", "California")} == {"OTHER"}


def test_order_repetition_and_emptiness(tagger: Tagger) -> None:
    texts = ["nice shot", "", "a dog", "nice shot", "  "] * 300
    found = tagger.tag(texts)
    assert len(found) == len(texts)
    assert found[:5] == found[5:10] == found[-5:]
    assert found[0].words == ["nice", "shot"]
    assert found[2].words == ["a", "dog"]
    assert found[1] == found[4] == ([], [], [])


def test_streams(slow: SpacyTagger) -> None:
    endless = (f"photo number {number}" for number in iter(int, 1))
    assert len(next(slow.stream(endless)).words) == 3


def test_an_overlong_text_loses_nothing(tagger: Tagger) -> None:
    words = ["sky", "light"] * 8_000
    (tagged,) = tagger.tag([" ".join(words)])
    assert tagged.words == words
    assert len(tagged.tags) == len(tagged.lemmas) == len(words)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(max_size=80), max_size=4))
def test_any_text_is_tagged(tagger: Tagger, texts: list[str]) -> None:
    for text, tagged in zip(texts, tagger.tag(texts), strict=True):
        assert "".join("".join(word.split()) for word in tagged.words) == "".join(text.split())
        assert len(tagged.words) == len(tagged.tags) == len(tagged.lemmas)


def test_an_unknown_model_is_refused_in_one_line(tmp_path: Path) -> None:
    for name in ("en_no_such_model", str(tmp_path)):
        with pytest.raises(ParamsError, match=r"language\.model") as caught:
            SpacyTagger(name)
        assert "\n" not in str(caught.value)


def test_the_weights_are_small_and_hold_no_pickles() -> None:
    files = [path for path in BUNDLED.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 20_000_000
    assert not any(path.suffix in {".pkl", ".pickle", ".pt"} for path in files)
    assert "CC BY-SA 4.0" in (BUNDLED / "meta.json").read_text()


def test_the_model_chooses_the_tagger() -> None:
    assert isinstance(choose("bundled"), FastTagger)
    by_folder = choose(str(BUNDLED))
    assert isinstance(by_folder, SpacyTagger)
    (tagged,) = by_folder.tag(["The leaves are sharp"])
    assert (tagged.words[1], tagged.tags[1], tagged.lemmas[1]) == ("leaves", "NNS", "leaf")
    with pytest.raises(ParamsError, match=r"language\.model"):
        choose("en_no_such_model")


def test_tags_and_lemmas_of_the_fast_tagger(fast: FastTagger) -> None:
    (tagged,) = fast.tag(["I love the colors of the leaves, and her eyes aren't very sharp."])
    assert " ".join(tagged.words) == "I love the colors of the leaves , and her eyes are n't very sharp ."
    assert " ".join(tagged.tags) == "PRP VBP DT NNS IN DT NNS , CC PRP$ NNS VBP RB RB JJ ."
    assert " ".join(tagged.lemmas) == "i love the color of the leaf , and her eye be not very sharp ."


def test_the_fast_tagger_tags_a_repeated_text_once(fast: FastTagger) -> None:
    found = fast.tag(["nice shot", "", "a dog", "nice shot", "  "] * 30)
    assert [tagged.words for tagged in found] == [["nice", "shot"], [], ["a", "dog"], ["nice", "shot"], []] * 30
    assert found[0] is found[3] is found[-2]
    assert fast.tag([]) == []


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(max_size=60), max_size=5))
def test_any_text_is_tagged_fast_as_if_alone(fast: FastTagger, texts: list[str]) -> None:
    found = fast.tag(texts)
    assert found == [fast.tag([text])[0] for text in texts]
    for text, tagged in zip(texts, found, strict=True):
        assert "".join(tagged.words) == "".join(text.split())
        assert len(tagged.words) == len(tagged.tags) == len(tagged.lemmas)
