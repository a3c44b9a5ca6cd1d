"""Agreement with what others wrote, and where scores are cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.config import FilterParams
from photocritic.filtering.filter_interface import NoOptions
from photocritic.filtering.filters.score import Score, resolve_threshold, valley
from tests.filtering.batches import batch, judge

IMAGES = ["dog", "boat", "church", "girl"]
TRUE = {
    "dog": ["A brown dog runs through the snow .", "The dog chases a ball in the snow", "brown dogs play in snow"],
    "boat": ["A wooden boat lies on the beach", "The old boat on a beach at dusk", "Two boats by the wooden pier"],
    "church": ["The church tower against stormy clouds", "A church under dark clouds", "Stormy sky over the tower"],
    "girl": ["A girl in a red dress smiles", "The smiling girl wears a dress", "Red dress , a lovely girl"],
}
SAFE = ["Great shot, nice composition", "I like the focus", "Good use of light"]


def judged(folder, texts, images, **params):
    rule = Score(NoOptions(), FilterParams(**params))
    (found,) = judge(rule, batch(texts, images=images), folder=folder)
    return found


def mixed():
    texts = [text for image in IMAGES for text in [*TRUE[image], *SAFE]]
    return texts, [image for image in IMAGES for _ in range(len(TRUE["dog"]) + len(SAFE))]


def test_agreement_tells_what_the_photograph_shows_from_what_fits_any(tmp_path):
    texts, images = mixed()
    found = judged(tmp_path, texts, images, score="agreement", threshold="auto")
    safe = [score for text, score in zip(texts, found.columns["score"], strict=True) if text in SAFE]
    true = [score for text, score in zip(texts, found.columns["score"], strict=True) if text not in SAFE]
    assert max(safe) < min(true)
    assert [text for text, reason in zip(texts, found.reasons, strict=True) if not reason] == [
        text for text in texts if text not in SAFE
    ]


def test_short_comments_agree_too_where_informativeness_cannot_help(tmp_path):
    texts, images = mixed()
    texts.append("brown dog")
    images.append("dog")
    found = judged(tmp_path, texts, images, score="agreement", threshold="auto")
    assert found.reasons[-1] == ""


def test_the_only_comment_of_an_image_is_scored_by_what_its_words_mean_elsewhere(tmp_path):
    texts, images = mixed()
    texts, images = texts * 8, [f"{image}{copy}" for copy in range(8) for image in images]
    texts += ["A dog on the beach", "Nice focus, great light"]
    images += ["lonely", "lonelier"]
    scores = judged(tmp_path, texts, images, score="agreement", threshold="auto").columns["score"]
    assert scores[-2] > 2 * scores[-1] > 0


def test_a_comment_does_not_agree_with_itself(tmp_path):
    texts, images = mixed()
    texts += ["zebra zebra zebra", "zebra crossing"]
    images += ["dog", "boat"]
    alone = judged(tmp_path / "a", texts, images, score="agreement").columns["score"]
    together = judged(tmp_path / "b", texts, [*images[:-1], "dog"], score="agreement").columns["score"]
    assert together[-2] > alone[-2]


def test_spelling_variants_agree(tmp_path):
    texts, images = mixed()
    one = judged(tmp_path / "a", [*texts, "strange colours", "strange colors"], [*images, "x", "x"], score="agreement")
    two = judged(tmp_path / "b", [*texts, "strange colors", "strange colors"], [*images, "x", "x"], score="agreement")
    assert one.columns["score"] == pytest.approx(two.columns["score"])


def test_both_is_the_geometric_mean(tmp_path):
    texts, images = mixed()
    scores = {
        kind: np.array(judged(tmp_path / kind, texts, images, score=kind).columns["score"])
        for kind in ("informativeness", "agreement", "both")
    }
    assert scores["both"] == pytest.approx(np.sqrt(scores["informativeness"] * scores["agreement"]))


def test_styled_and_rejected_comments_say_nothing_about_others(tmp_path):
    texts, images = mixed()
    base = judged(tmp_path / "a", texts, images, score="both").columns["score"]
    rule = Score(NoOptions(), FilterParams(score="both"))
    more = batch(
        [*texts, *TRUE["dog"], *TRUE["dog"]],
        images=[*images, *["dog"] * 6],
        styles=[None] * len(texts) + ["humorous"] * 3 + [None] * 3,
    )
    more.reasons = [""] * (len(texts) + 3) + ["not_english"] * 3
    (found,) = judge(rule, more, folder=tmp_path)
    assert found.columns["score"][: len(texts)] == pytest.approx(base)
    assert found.reasons[len(texts) : len(texts) + 3] == ["", "", ""]


@given(st.lists(st.floats(0, 1e3), min_size=1, max_size=50, unique=True), st.integers(0, 20))
def test_keep_a_share(scores, twentieths):
    share = twentieths / 20
    cut = resolve_threshold(f"keep {share}", np.array(scores))
    assert (np.array(scores) >= cut).sum() == round(share * len(scores))


@given(st.integers(20, 200), st.integers(20, 200), st.integers(0, 99))
def test_the_valley_lies_between_two_humps(low, high, seed):
    random = np.random.default_rng(seed)
    scores = np.concatenate([random.uniform(0, 2, low), random.uniform(15, 30, high)])
    assert scores[:low].max() < valley(scores) <= scores[low:].min()


@pytest.mark.parametrize("scores", [[], [3.0], [0.0, 0.0], [5.0, 5.0, 5.0]])
def test_few_or_equal_scores_are_cut_without_failing(scores):
    for wanted in (20.0, "auto", "keep 0.5"):
        assert np.isfinite(resolve_threshold(wanted, np.array(scores)))
