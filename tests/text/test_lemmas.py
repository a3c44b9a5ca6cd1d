"""Lemmas by rule, by treebank and by exception."""

import pytest

from photocritic.text.lemmas import Lemmatizer

TREEBANK = [
    ("Houses", "NNS", "house"), ("bus", "NN", "bus"), ("data", "NNS", "datum"), ("inks", "NNS", ""),
    ("lie", "VB", "lie"), ("lying", "VBG", "lie"), ("stop", "VB", "stop"), ("bake", "VB", "bake"),
    ("hoped", "VBD", "hope"), ("big", "JJ", "big"),
]  # fmt: skip


@pytest.fixture(scope="module")
def lemmatizer() -> Lemmatizer:
    return Lemmatizer.learn(TREEBANK)


@pytest.mark.parametrize(
    ("form", "tag", "lemma"),
    [
        ("colors", "NNS", "color"), ("Leaves", "NNS", "leaf"), ("eyes", "NNS", "eye"),
        ("butterflies", "NNS", "butterfly"),
        ("buses", "NNS", "bus"), ("glasses", "NNS", "glass"), ("women", "NNS", "woman"), ("focus", "NNS", "focus"),
        ("images", "NNS", "image"), ("skateboards", "NNS", "skateboard"), ("inks", "NNS", "ink"),
        ("data", "NNS", "datum"),
        ("lighting", "NN", "lighting"), ("stopped", "VBD", "stop"), ("baking", "VBG", "bake"), ("lying", "VBG", "lie"),
        ("bigger", "JJR", "big"), ("Sharp", "JJ", "sharp"), ("x", "NNS", "x"), ("s", "NNS", "s"),
    ],
)  # fmt: skip
def test_lemma(lemmatizer: Lemmatizer, form: str, tag: str, lemma: str) -> None:
    assert lemmatizer.lemma(form, tag) == lemma


def test_the_table_restores_the_lemmatizer(lemmatizer: Lemmatizer) -> None:
    again = Lemmatizer(**lemmatizer.table())
    assert again.table() == lemmatizer.table()
    assert again.lemma("lying", "VBG") == "lie"


def test_the_order_of_the_treebank_does_not_matter(lemmatizer: Lemmatizer) -> None:
    assert Lemmatizer.learn(reversed(TREEBANK)).table() == lemmatizer.table()
