"""The fast tagger, as the filters see it, and its learner."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from photocritic.text import FastTagger
from photocritic.text.fast import decode, weights
from photocritic.text.fast.weights import Weights
from photocritic.text.folder import BUNDLED
from tools.language.perceptron import learn

SENTENCES = [
    [("The", "DT"), ("dogs", "NNS"), ("see", "VBP"), ("a", "DT"), ("sharp", "JJ"), ("eye", "NN")],
    [("I", "PRP"), ("see", "VBP"), ("it", "PRP")],
    [("nice", "JJ"), ("dogs", "NNS")],
] * 12


@pytest.fixture(scope="module")
def tagger() -> FastTagger:
    return FastTagger()


def test_tags_and_lemmas(tagger: FastTagger) -> None:
    (tagged,) = tagger.tag(["I love the colors of the leaves, and her eyes aren't very sharp."])
    assert " ".join(tagged.words) == "I love the colors of the leaves , and her eyes are n't very sharp ."
    assert " ".join(tagged.tags) == "PRP VBP DT NNS IN DT NNS , CC PRP$ NNS VBP RB RB JJ ."
    assert " ".join(tagged.lemmas) == "i love the color of the leaf , and her eye be not very sharp ."


def test_order_repetition_and_emptiness(tagger: FastTagger) -> None:
    found = tagger.tag(["nice shot", "", "a dog", "nice shot", "  "] * 30)
    assert [tagged.words for tagged in found] == [["nice", "shot"], [], ["a", "dog"], ["nice", "shot"], []] * 30
    assert found[0] is found[3] is found[-2]
    assert tagger.tag([]) == []


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(max_size=60), max_size=5))
def test_any_text_is_tagged_as_if_alone(tagger: FastTagger, texts: list[str]) -> None:
    found = tagger.tag(texts)
    assert found == [tagger.tag([text])[0] for text in texts]
    for text, tagged in zip(texts, found, strict=True):
        assert "".join(tagged.words) == "".join(text.split())
        assert len(tagged.words) == len(tagged.tags) == len(tagged.lemmas)


def test_learns_what_it_is_shown_and_the_same_each_time(tmp_path: Path) -> None:
    first, second = learn(SENTENCES), learn(SENTENCES)
    for number, learnt in enumerate((first, second)):
        weights.save(learnt, tmp_path / f"{number}.safetensors")
    assert (tmp_path / "0.safetensors").read_bytes() == (tmp_path / "1.safetensors").read_bytes()
    again = weights.load(tmp_path / "0.safetensors")
    assert again.as_dicts() == first.as_dicts()
    assert again.tagdict["see"] == "VBP"
    for sentence in SENTENCES[:3]:
        assert _tag(again, [word for word, _ in sentence]) == [tag for _, tag in sentence]


def test_the_weights_are_small() -> None:
    assert (BUNDLED / weights.FILE).stat().st_size < 6_000_000


def _tag(learnt: Weights, words: list[str]) -> list[str]:
    return [learnt.classes[number] for number in decode.Decoder(learnt).decode([words])]
