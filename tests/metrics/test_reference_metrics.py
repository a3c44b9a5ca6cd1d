"""BLEU, ROUGE-L, CIDEr and CIDEr-D against the reference implementation."""

import math
import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.core.errors import ParamsError, PhotocriticError
from photocritic.metrics import PURE, Captions, References, get, score

WORDS = ["a", "the", "dog", "jumps", "über", "日本", "naïve", "🌅", "x", "y"]
sentence = st.lists(st.sampled_from(WORDS), max_size=9)
anything = st.lists(
    st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=3), min_size=1, max_size=6
)
image = st.tuples(sentence | anything, st.lists(sentence | anything, min_size=1, max_size=4))
CORPORA = Path(os.environ.get("PHOTOCRITIC_CORPORA", Path(__file__).parents[3] / "shared" / "corpora"))


def reference_scores(candidates, references):
    """Run pycocoevalcap on sentences that are tokenised already."""
    bleu = pytest.importorskip("pycocoevalcap.bleu.bleu")
    rouge = pytest.importorskip("pycocoevalcap.rouge.rouge")
    cider = pytest.importorskip("pycocoevalcap.cider.cider")
    results = {number: [" ".join(words)] for number, words in enumerate(candidates)}
    truths = {number: [" ".join(words) for words in some] for number, some in enumerate(references)}
    corpus, images = {}, {}
    for order, (total, each) in enumerate(zip(*bleu.Bleu(4).compute_score(truths, results, verbose=0), strict=True), 1):
        corpus[f"bleu_{order}"], images[f"bleu_{order}"] = total, each
    corpus["rouge_l"], images["rouge_l"] = rouge.Rouge().compute_score(truths, results)
    if any(words for some in references for words in some):  # its CIDEr fails where no reference has a word
        corpus["cider_d"], images["cider_d"] = cider.Cider().compute_score(truths, results)
    return corpus, images


def plain_cider(candidates, references):
    """Compute CIDEr as its Eq. 1-3 read, pair by pair."""

    def grams(words, order):
        return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))

    scores = []
    for candidate, some in zip(candidates, references, strict=True):
        total = 0.0
        for order in range(1, 5):
            frequency = Counter(
                gram for other in references for gram in {g for ref in other for g in grams(ref, order)}
            )
            weigh = lambda words, order=order, frequency=frequency: {  # noqa: E731
                gram: count * math.log(len(references) / max(1, frequency[gram]))
                for gram, count in grams(words, order).items()
            }
            mine = weigh(candidate)
            for reference in some:
                theirs = weigh(reference)
                norms = math.dist(mine.values(), [0] * len(mine)) * math.dist(theirs.values(), [0] * len(theirs))
                dot = sum(value * theirs.get(gram, 0.0) for gram, value in mine.items())
                total += dot / norms / len(some) if norms else 0.0
        scores.append(10 * total / 4)
    return scores


def assert_equal(candidates, references):
    ours = score(Captions(candidates), References(references))
    corpus, images = reference_scores(candidates, references)
    for key, value in corpus.items():
        assert ours.corpus[key] == pytest.approx(value, abs=1e-9), key
        np.testing.assert_allclose(ours.per_image[key], images[key], rtol=0, atol=1e-9, err_msg=key)


@settings(max_examples=150, deadline=None)
@given(st.lists(image, min_size=1, max_size=7))
def test_equals_the_reference_implementation(images):
    candidates, references = zip(*images, strict=True)
    assert_equal(candidates, references)


@settings(max_examples=50, deadline=None)
@given(st.lists(image, min_size=1, max_size=6))
def test_bleu_1_without_brevity_penalty_is_the_share_of_words_that_a_reference_has(images):
    candidates, references = zip(*images, strict=True)
    found = get("bleu").score(Captions(candidates), References(references))
    matched = [
        sum(min(count, max(some.count(word) for some in theirs)) for word, count in Counter(mine).items())
        for mine, theirs in zip(candidates, references, strict=True)
    ]
    lengths = [len(mine) for mine in candidates]
    shares = [right / max(1, length) for right, length in zip(matched, lengths, strict=True)]
    np.testing.assert_allclose(found.per_image["bleu_1_no_bp"], shares, rtol=0, atol=1e-6)
    assert found.corpus["bleu_1_no_bp"] == pytest.approx(sum(matched) / max(1, sum(lengths)), abs=1e-6)


def test_a_short_caption_loses_nothing_without_brevity_penalty():
    found = get("bleu").score(Captions([["a", "dog"]]), References([[["a", "dog", "in", "the", "snow"]]])).corpus
    assert found["bleu_1_no_bp"] == pytest.approx(1.0)
    assert found["bleu_1"] == pytest.approx(math.exp(1 - 5 / 2))


@settings(max_examples=50, deadline=None)
@given(st.lists(image, min_size=1, max_size=6))
def test_plain_cider_follows_its_equations(images):
    candidates, references = zip(*images, strict=True)
    ours = get("cider").score(Captions(candidates), References(references))
    np.testing.assert_allclose(ours.per_image["cider"], plain_cider(candidates, references), rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("candidate", "references"),
    [
        ([], [["a", "dog"]]),
        ([], [[]]),
        (["dog"], [["dog"]]),
        (["dog"], [[]]),
        (["dog"] * 12, [["dog", "dog"], ["the", "dog"]]),
        (["the", "dog"] * 40, [["the", "dog"] * 45]),
        (["Ünïcode", "日本", "🌅"], [["日本", "🌅"], ["ünïcode"]]),
    ],
)
def test_edge_cases_equal_the_reference_implementation(candidate, references):
    assert_equal([candidate, ["a", "cat", "sits"]], [references, [["a", "cat", "sat"], ["one"]]])


def test_rouge_is_exact_for_captions_of_very_different_lengths():
    rng = np.random.default_rng(0)
    draw = lambda longest: [str(word) for word in rng.integers(0, 8, rng.integers(0, longest))]  # noqa: E731
    assert_equal([draw(90) for _ in range(40)], [[draw(200) for _ in range(1 + i % 4)] for i in range(40)])


def test_flickr8k_one_against_four():
    path = CORPORA / "flickr8k" / "captions.csv"
    if not path.is_file():
        pytest.skip("the Flickr8k captions are not here")
    import csv

    with path.open(encoding="utf-8", newline="") as stream:
        by_image: dict[str, list[list[str]]] = {}
        for row in csv.DictReader(stream):
            by_image.setdefault(row["image"], []).append(row["caption"].lower().split())
    chosen = list(by_image.values())[:800]
    assert_equal([captions[0] for captions in chosen], [captions[1:] for captions in chosen])
    candidates, references = [captions[0] for captions in chosen[:40]], [captions[1:] for captions in chosen[:40]]
    plain = get("cider").score(Captions(candidates), References(references)).per_image["cider"]
    np.testing.assert_allclose(plain, plain_cider(candidates, references), rtol=0, atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.lists(image, min_size=2, max_size=6), st.randoms())
def test_the_order_of_images_and_references_does_not_matter(images, random):
    candidates, references = zip(*images, strict=True)
    order = list(range(len(images)))
    random.shuffle(order)
    before = score(Captions(candidates), References(references))
    turned = References([references[i][::-1] for i in order])
    after = score(Captions([candidates[i] for i in order]), turned)
    for key, values in before.per_image.items():
        np.testing.assert_allclose(after.per_image[key], values[order], rtol=0, atol=1e-12, err_msg=key)


def test_references_are_counted_once_and_serve_any_candidates():
    references = References([[["a", "dog"]], [["a", "red", "cat"]]])
    alone = [score(Captions([[word], ["cat"]]), References(references.captions)).corpus for word in ("dog", "new")]
    assert [score(Captions([[word], ["cat"]]), references).corpus for word in ("dog", "new")] == alone


def test_an_image_without_references_is_refused():
    with pytest.raises(PhotocriticError, match="image 1 has no reference"):
        References([[["a"]], []])


def test_captions_must_match_the_images():
    with pytest.raises(PhotocriticError, match="2 captions for 1 images"):
        score(Captions([["a"], ["b"]]), References([[["a"]]]))


def test_unknown_metric_names_the_nearest_one():
    with pytest.raises(ParamsError, match=r"evaluate\.metrics: no metric is called 'blue'; did you mean 'bleu'\?"):
        get("blue")


def test_every_metric_gives_the_keys_it_declares():
    for name in PURE:
        metric = get(name)
        result = metric.score(Captions([["a", "b"]]), References([[["a", "b"]]]))
        assert tuple(result.corpus) == tuple(result.per_image) == tuple(metric.columns)
