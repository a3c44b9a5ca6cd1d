"""The filter by score: agreement with what others wrote, several scores together, and thresholds."""

import numpy as np
import pytest

from photocritic.config import FilterParams
from photocritic.core.errors import ParamsError
from photocritic.filtering.filter_interface import NoOptions
from photocritic.filtering.filters.score import Score
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


def test_sentences_of_a_comment_are_no_others(tmp_path):
    texts, images = mixed()
    texts += ["a zebra on the grass", "the zebra is striped", "a zebra in the sun"]
    images += ["zoo"] * 3
    for name, sentences in (("of one", [0, 1, 2]), ("of three", [0, 0, 0])):
        rule = Score(NoOptions(), FilterParams(score="agreement"))
        places = [0] * (len(texts) - 3) + sentences
        (found,) = judge(rule, batch(texts, images=images, sentences=places), folder=tmp_path / name)
        zebra = found.columns["score"][-3:]
        if name == "of one":
            alone = zebra
    (one_other,) = judge(
        Score(NoOptions(), FilterParams(score="agreement")),
        batch(texts, images=images, sentences=[0] * (len(texts) - 3) + [0, 1, 0]),
        folder=tmp_path / "of two",
    )
    assert all(own < other for own, other in zip(alone, zebra, strict=True))
    assert alone[0] < one_other.columns["score"][-3] < zebra[0], "the third row's comment alone is another's"


def test_spelling_variants_agree(tmp_path):
    texts, images = mixed()
    one = judged(tmp_path / "a", [*texts, "strange colours", "strange colors"], [*images, "x", "x"], score="agreement")
    two = judged(tmp_path / "b", [*texts, "strange colors", "strange colors"], [*images, "x", "x"], score="agreement")
    assert one.columns["score"] == pytest.approx(two.columns["score"])


def test_several_scores_count_by_their_geometric_mean(tmp_path):
    texts, images = mixed()
    names = ["informativeness", "agreement"]
    scores = {
        name: np.array(judged(tmp_path / name, texts, images, score=wanted).columns["score"])
        for name, wanted in [*zip(names, names, strict=True), ("together", names)]
    }
    assert scores["together"] == pytest.approx(np.sqrt(scores["informativeness"] * scores["agreement"]))


def test_an_unknown_score_is_refused_with_the_nearest():
    with pytest.raises(ParamsError, match=r"filter\.score: no score is called 'agrement'; did you mean 'agreement'\?"):
        Score(NoOptions(), FilterParams(score="agrement"))


def with_more(texts, images, styles, reasons, params):
    """Return a filter and comments to which three of the dog's are added, with a style or a reason for rejection."""
    more = batch([*texts, *TRUE["dog"]], images=[*images, *["dog"] * 3], styles=[None] * len(texts) + styles)
    more.reasons = [""] * len(texts) + reasons
    return Score(NoOptions(), FilterParams(**params)), more


@pytest.mark.parametrize("score", ["informativeness", "agreement", ["informativeness", "agreement"]])
def test_styled_comments_say_nothing_about_others(tmp_path, score):
    texts, images = mixed()
    base = judged(tmp_path / "a", texts, images, score=score).columns["score"]
    (found,) = judge(*with_more(texts, images, ["humorous"] * 3, [""] * 3, {"score": score}), folder=tmp_path)
    assert found.columns["score"][: len(texts)] == pytest.approx(base)
    assert found.reasons[len(texts) :] == ["", "", ""]


def test_nobody_agrees_with_rejected_comments(tmp_path):
    texts, images = mixed()
    base = judged(tmp_path / "a", texts, images, score="agreement").columns["score"]
    rejected = with_more(texts, images, [None] * 3, ["not_english"] * 3, {"score": "agreement"})
    (found,) = judge(*rejected, folder=tmp_path)
    assert found.columns["score"][: len(texts)] == pytest.approx(base)


def test_probabilities_count_comments_that_earlier_filters_rejected(tmp_path):
    texts, images = mixed()
    kept = with_more(texts, images, [None] * 3, [""] * 3, {"score": "informativeness"})
    rejected = with_more(texts, images, [None] * 3, ["contest_words"] * 3, {"score": "informativeness"})
    alone = judged(tmp_path / "alone", texts, images, score="informativeness").columns["score"]
    (among_kept,) = judge(*kept, folder=tmp_path / "kept")
    (among_rejected,) = judge(*rejected, folder=tmp_path / "rejected")
    assert among_rejected.columns["score"] == among_kept.columns["score"]
    assert among_rejected.columns["score"][0] < alone[0], "its words are more frequent"


@pytest.mark.parametrize("texts", [["a dog"], ["...", "!"]])
def test_few_or_equal_scores_are_cut_without_failing(texts, tmp_path):
    for place, wanted in enumerate((20.0, "auto", "keep 0.5")):
        folder = tmp_path / str(place)
        folder.mkdir()
        found = judged(folder, texts, ["a"] * len(texts), threshold=wanted)
        assert np.isfinite(found.columns["score"]).all()


def test_probabilities_are_asked_of_the_learned_score_alone(tmp_path):
    texts, images = mixed()
    with pytest.raises(ParamsError, match="photocritic filter train"):
        judged(tmp_path, texts, images, threshold="precision 0.9")
    (tmp_path / "two").mkdir()
    with pytest.raises(ParamsError, match="learned` alone"):
        judged(tmp_path / "two", texts, images, score=["learned", "agreement"], threshold="recall 0.9")
