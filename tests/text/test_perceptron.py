"""The perceptron's weights: learning them, and writing them to a file."""

from pathlib import Path

from photocritic.text import perceptron
from photocritic.text.decoder import Decoder
from photocritic.text.perceptron import Weights
from photocritic.text.words import BUNDLED
from tools.language.perceptron import learn

SENTENCES = [
    [("The", "DT"), ("dogs", "NNS"), ("see", "VBP"), ("a", "DT"), ("sharp", "JJ"), ("eye", "NN")],
    [("I", "PRP"), ("see", "VBP"), ("it", "PRP")],
    [("nice", "JJ"), ("dogs", "NNS")],
] * 12


def test_learns_what_it_is_shown_and_the_same_each_time(tmp_path: Path) -> None:
    first, second = learn(SENTENCES), learn(SENTENCES)
    for number, learnt in enumerate((first, second)):
        perceptron.save(learnt, tmp_path / f"{number}.safetensors")
    assert (tmp_path / "0.safetensors").read_bytes() == (tmp_path / "1.safetensors").read_bytes()
    again = perceptron.load(tmp_path / "0.safetensors")
    assert again.as_dicts() == first.as_dicts()
    assert again.tagdict["see"] == "VBP"
    for sentence in SENTENCES[:3]:
        assert _tag(again, [word for word, _ in sentence]) == [tag for _, tag in sentence]


def test_the_weights_are_small() -> None:
    assert (BUNDLED / perceptron.FILE).stat().st_size < 6_000_000


def _tag(learnt: Weights, words: list[str]) -> list[str]:
    return [learnt.classes[number] for number in Decoder(learnt).decode([words])]
