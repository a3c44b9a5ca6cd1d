"""Training of where clauses begin, on made paragraphs."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from photocritic.text import FastTagger
from tools.language import clauses

TAGGER = FastTagger()


def made(count, seed):
    draw = np.random.default_rng(seed)
    nouns, ends = ["dog", "boat", "sky", "light"], ["is soft", "looks fine", "was too dark"]
    return [
        [f"The {draw.choice(nouns)} {draw.choice(ends)}." for _ in range(draw.integers(1, 4))] for _ in range(count)
    ]


def test_what_is_learned_finds_the_sentences_of_other_paragraphs():
    weights = clauses.train(made(300, 1), TAGGER)
    assert weights.features["the begins"] > 0
    assert clauses.evaluate(made(50, 2), TAGGER, weights)["f1"] > 0.95


def test_places_of_sentences_are_words():
    ((tagged, starts),) = clauses.without_marks([["I don't know.", "(It's Soft!)", "?!"]], TAGGER)
    assert [tagged.words[place] for place in sorted(starts)] == ["it"]


def test_paragraphs_are_read(tmp_path):
    path = tmp_path / "some.conllu"
    path.write_text("# newdoc id = a\n# text = One.\n1\tOne\n\n# text = Two.\n\n# newpar\n# text = Three.\n")
    assert [some for some in clauses.paragraphs(path) if some] == [["One.", "Two."], ["Three."]]
