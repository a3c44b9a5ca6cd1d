"""AIC Eq. 1-2 by hand, and on the paper's own examples."""

import json
import math
import os
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic import tables
from photocritic.config import FilterParams, LanguageParams
from photocritic.filtering.filter_comments import filter_comments
from photocritic.filtering.informativeness import Vocabulary, ngrams
from photocritic.filtering.out_of_core import count_values, merge_counts
from photocritic.text import Tagged

CORPORA = Path(os.environ.get("PHOTOCRITIC_CORPORA") or Path(__file__).resolve().parents[3] / "shared" / "corpora")


def vocabulary(found: list[str]) -> Vocabulary:
    return Vocabulary(merge_counts([count_values(pa.array(found, pa.string()), "ngram")], "ngram"))


def score(fitted: Vocabulary, found: list[str]) -> float:
    return float(fitted.scores(pa.array([found], pa.list_(pa.string())))[0])


def test_composition_takes_stop_words_and_punctuation_out_first() -> None:
    words = [
        "The",
        "trees",
        "in",
        "the",
        "background",
        ",",
        "too",
        "softly",
        "lit",
        "green",
        "color",
        "colours",
        "John",
    ]
    tags = ["DT", "NNS", "IN", "DT", "NN", ",", "RB", "RB", "VBN", "JJ", "NN", "NNS", "NNP"]
    lemmas = [
        "the",
        "tree",
        "in",
        "the",
        "background",
        ",",
        "too",
        "softly",
        "light",
        "green",
        "color",
        "colour",
        "john",
    ]
    found = ngrams(Tagged(words, tags, lemmas))
    assert found == ["tree", "background", "color", "color", "tree_background", "green_color", "color_color"]


def test_score_by_hand() -> None:
    fitted = vocabulary(["tree", "sky", "tree", "sea", "blue_sky", "old_tree", "old_tree"])
    expected = -0.5 * (math.log(2 / 4) + math.log(1 / 4) + math.log(1 / 3))
    assert score(fitted, ["tree", "sky", "blue_sky"]) == pytest.approx(expected, rel=1e-12)
    assert score(fitted, []) == 0.0
    assert score(fitted, ["unseen"]) == pytest.approx(-0.5 * math.log(1 / 4))
    assert score(vocabulary([]), ["unseen"]) == 0.0


def test_scores_stay_with_their_comments() -> None:
    fitted = vocabulary(["tree", "sky", "tree", "sea"])
    scores = fitted.scores(pa.array([[], ["tree"], [], ["sky", "sky"], []], pa.list_(pa.string())))
    assert scores == pytest.approx([0.0, -0.5 * math.log(1 / 2), 0.0, -math.log(1 / 4), 0.0])


@given(st.lists(st.sampled_from(["a", "b", "a_b"]), min_size=1))
def test_probabilities_of_an_order_sum_to_one(found: list[str]) -> None:
    table = vocabulary(found).table(1).to_pylist()
    for size in (1, 2):
        rows = [row for row in table if row["order"] == size]
        if rows:
            assert sum(row["probability"] for row in rows) == pytest.approx(1.0)
    assert {row["ngram"]: row["count"] for row in table} == {ngram: found.count(ngram) for ngram in set(found)}


# AIC Figure 2; the tolerance is None where a tagger of web text judges otherwise than the authors' tagger.
PUBLISHED = [
    ("I love the colors here", 1.85, 0.2),  # at hand are comments on impression and subject, which name colors less
    ("I like the trees in the background and the softness of the water.", 28.41, 0.15),
    (
        "The post processing looks great with the water, but the top half of the photo doesn't work as well.",
        47.44,
        None,  # the authors' tagger must have called "post" and "work" nouns, which adds work and photo_work
    ),
    ("Photo Quality : Awesome", 9.62, None),  # and "awesome" no adjective, which takes quality_awesome away
]


def test_published_scores(tmp_path: Path) -> None:
    source = CORPORA / "dpc" / "impression_and_subject.json"
    if not source.is_file():
        pytest.skip("no dpchallenge.com comments at hand")
    texts = [(image, text) for image, comments in json.loads(source.read_text()).items() for text in comments]
    texts += [("published", text) for text, _, _ in PUBLISHED]
    known = {"author_id": None, "style": None, "source": "dpc"}
    rows = [
        {"comment_id": str(row), "image_id": image, "text": text} | known for row, (image, text) in enumerate(texts)
    ]
    comments, captions, found = (tmp_path / f"{name}.parquet" for name in ("comments", "captions", "ngrams"))
    tables.save("comments", comments, tables.from_rows("comments", rows))
    filter_comments(comments, None, captions, found, FilterParams(), LanguageParams(), tmp_path / "work")
    scores = tables.load("captions", captions).column("score").to_pylist()[-len(PUBLISHED) :]
    for value, (_, published, tolerance) in zip(scores, PUBLISHED, strict=True):
        if tolerance is not None:
            assert value == pytest.approx(published, rel=tolerance)
    assert scores[2] > 20 > scores[0]
