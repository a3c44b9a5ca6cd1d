"""The numpy decoder against NLTK's class and against the perceptron written plainly."""

import random
from collections.abc import Sequence

import pytest
from nltk.tag.perceptron import PerceptronTagger

from photocritic.text import FastTagger, decoder

Dicts = tuple[dict[str, dict[str, float]], dict[str, str], list[str]]
WORDS = (
    "the a of in is are was not very dog dogs woman photo photos light lights colors focus sharp soft bright "
    "beautiful nice great love like running through tall grass 2004 50mm well-known - , . ! John California Great The "
    "I you n't 's it they shooting shot composition bokeh xqzt really well but and 7 don -START- !HYPHEN"
)


@pytest.fixture(scope="module")
def tagger() -> FastTagger:
    return FastTagger()


@pytest.fixture(scope="module")
def texts() -> list[list[str]]:
    draw = random.Random(3)
    return [draw.choices(WORDS.split(), k=draw.randrange(25)) for _ in range(300)]


def test_equals_the_plain_implementation(tagger: FastTagger, texts: list[list[str]]) -> None:
    dicts = tagger.as_dicts()
    assert tagger.tag_words(texts) == [plainly(text, dicts) for text in texts]


def test_equals_nltk_on_the_same_weights(tagger: FastTagger, texts: list[list[str]]) -> None:
    nltk = PerceptronTagger(load=False)
    nltk.decode_json_params(tagger.as_dicts())
    assert tagger.tag_words(texts) == [[tag for _, tag in nltk.tag(text)] for text in texts]


def test_forgetting_types_changes_nothing(tagger: FastTagger, texts: list[list[str]], monkeypatch) -> None:
    expected = tagger.tag_words(texts)
    monkeypatch.setattr(decoder, "_TYPES", 5)
    assert [tags for text in texts for tags in tagger.tag_words([text])] == expected


def plainly(words: Sequence[str], dicts: Dicts) -> list[str]:
    weights, tagdict, classes = dicts
    context = ["-START-", "-START2-", *(_normalized(word) for word in words), "-END-", "-END2-"]
    previous, before, tags = "-START-", "-START2-", []
    for i, word in enumerate(words, 2):
        here = tagdict.get(word)
        if here is None:
            features = [
                "bias",
                f"i suffix {word[-3:]}",
                f"i pref1 {word[0]}",
                f"i-1 tag {previous}",
                f"i-2 tag {before}",
                f"i tag+i-2 tag {previous} {before}",
                f"i word {context[i]}",
                f"i-1 tag+i word {previous} {context[i]}",
                f"i-1 word {context[i - 1]}",
                f"i-1 suffix {context[i - 1][-3:]}",
                f"i-2 word {context[i - 2]}",
                f"i+1 word {context[i + 1]}",
                f"i+1 suffix {context[i + 1][-3:]}",
                f"i+2 word {context[i + 2]}",
            ]
            scores = dict.fromkeys(classes, 0.0)
            for feature in features:
                for label, weight in weights.get(feature, {}).items():
                    scores[label] += weight
            here = max(classes, key=lambda label: (scores[label], label))
        tags.append(here)
        previous, before = here, previous
    return tags


def _normalized(word: str) -> str:
    if "-" in word and word[0] != "-":
        return "!HYPHEN"
    if word.isdigit() and len(word) == 4:
        return "!YEAR"
    if word[0].isdigit():
        return "!DIGITS"
    return word.lower()
