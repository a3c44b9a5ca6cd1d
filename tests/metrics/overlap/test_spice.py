"""SPICE and SPICE-1 against the reference program's own way, where its jars are (make spice)."""

import json

import numpy as np
import pytest

from photocritic.metrics import Captions, References, Suite, missing
from photocritic.text import caption_tokens

pytestmark = [
    pytest.mark.skipif(bool(missing("spice")), reason=f"SPICE: not installed ({missing('spice')})"),
    pytest.mark.xdist_group("spice"),  # a process can have one Java
]

EDGES = [
    ([], [["a", "dog"]]),
    ([], [[]]),
    (["dog"], [["dog"]]),
    (["dog"], [[]]),
    (["dog"] * 5, [["the", "dog"], ["dogs"]]),
    (["ünïcode", "日本", "🌅"], [["日本", "🌅"]]),
]


@pytest.fixture(scope="module")
def suite():
    with Suite(["spice"]) as it:
        yield it


def by_the_program(suite, candidates, references):
    """Score with the reference program's public classes: F-measure, precision and recall of each image."""
    graphs = suite._metrics[0]._graphs
    make = graphs._class("java.util.ArrayList")
    counts = make([graphs._class("java.lang.Integer")(len(some)) for some in references])
    theirs = graphs._parser.parseCaptions(make([" ".join(words) for some in references for words in some]), counts)
    mine = graphs._parser.parseCaptions(make([" ".join(words) for words in candidates]))
    stats = graphs._class("edu.anu.spice.SpiceStats")(graphs._class("java.util.HashMap")(), False)
    for number, (one, other) in enumerate(zip(mine, theirs, strict=True)):
        stats.score(str(number), one, other, True)
    scores = [row["scores"]["All"] for row in json.loads(str(stats.toJSONString()))]
    return [[row[key] for row in scores] for key in ("f", "pr", "re")]


def test_equals_the_reference_program(suite, coco):
    captions = [[caption_tokens(text) for text in some] for some in list(coco.values())[:6]]
    candidates = [some[0] for some in captions] + [candidate for candidate, _ in EDGES]
    references = [some[1:] for some in captions] + [some for _, some in EDGES]
    found = suite.score(Captions(candidates), References(references))
    expected = by_the_program(suite, candidates, references)
    for key, values in zip(("spice", "spice_precision", "spice_recall"), expected, strict=True):
        assert found.per_image[key].tolist() == values
        assert found.corpus[key] == pytest.approx(np.mean(values))
    alone = [
        max(
            (suite.score(Captions([candidate]), References([[one]])).corpus for one in some),
            key=lambda one: one["spice"],
        )
        for candidate, some in zip(candidates, references, strict=True)
    ]
    for ending in ("", "_precision", "_recall"):
        assert found.per_image[f"spice_1{ending}"].tolist() == [one[f"spice{ending}"] for one in alone]


def test_words_of_one_synset_agree(suite):
    found = suite.score(Captions([["a", "big", "car"]]), References([[["a", "large", "automobile"]]])).corpus
    assert found["spice"] == 1.0


def test_spice_1_is_never_below_the_reference_that_says_the_same(suite):
    references = References([[["a", "red", "boat"], ["two", "children", "swim", "in", "the", "sea"]]])
    found = suite.score(Captions([["a", "red", "boat"]]), references).corpus
    assert found["spice_1"] == found["spice_1_precision"] == found["spice_1_recall"] == 1.0
    assert found["spice"] < 1.0
