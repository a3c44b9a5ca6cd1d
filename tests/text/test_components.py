"""The network's first layer: what it makes of words it does not know."""

import numpy as np
import pytest
from spacy.tokens import Doc
from spacy.vocab import Vocab

from photocritic.text.components import affix_embed, copy_known_forms, set_known_forms

ALIKE = ["zorabping", "zorubping"]  # same affixes, same shape
ROWS = [50, 10, 20, 10, 20, 20, 10]


@pytest.fixture
def doc() -> Doc:
    return Doc(Vocab(), words=[*ALIKE, "Dogs", "2004"])


def test_unknown_words_with_the_same_affixes_are_one(doc: Doc) -> None:
    model = affix_embed(8, ROWS)
    model.initialize(X=[doc])
    (vectors,) = model.predict([doc])
    assert vectors.shape == (4, 8)
    assert np.array_equal(vectors[0], vectors[1])
    set_known_forms(model, ["Zorabping", "dogs"])
    (vectors,) = model.predict([doc])
    assert not np.array_equal(vectors[0], vectors[1])


def test_what_is_known_is_saved_and_handed_on(doc: Doc) -> None:
    model, other, third = (affix_embed(8, ROWS) for _ in range(3))
    model.initialize(X=[doc])
    set_known_forms(model, ["dogs", ALIKE[0]])
    expected = model.predict([doc])[0]
    other.from_bytes(model.to_bytes())
    assert np.array_equal(other.predict([doc])[0], expected)
    third.initialize(X=[doc])
    copy_known_forms(third, model)
    assert not np.array_equal(*third.predict([doc])[0][:2])


def test_texts_of_any_length_keep_theirs(doc: Doc) -> None:
    model = affix_embed(8, ROWS)
    model.initialize(X=[doc])
    empty = Doc(doc.vocab, words=[])
    assert [len(vectors) for vectors in model.predict([empty, doc, empty])] == [0, 4, 0]
