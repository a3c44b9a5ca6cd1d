"""The comments nearest to the threshold, and what makes up their scores."""

import pytest

from photocritic.core.errors import ParamsError
from photocritic.filtering import near_misses
from tests.filtering.test_filter_comments import MANY, TEXTS, run, write

SCORES = ["informativeness", "agreement", "specificity", "learned"]


@pytest.mark.parametrize("score", SCORES)
def test_the_nearest_of_each_side_are_explained(tmp_path, monkeypatch, score):
    monkeypatch.setattr(near_misses, "NEAREST", 3)
    rows, outcome = run(tmp_path, MANY, score=score, threshold="keep 0.5")
    scored = [row for row in rows if row["reason"] in ("", "uninformative")]
    threshold = outcome.metrics["threshold"]
    for side, of_side in (("above", lambda score: score >= threshold), ("below", lambda score: score < threshold)):
        own = sorted((row for row in scored if of_side(row["score"])), key=lambda row: abs(row["score"] - threshold))
        shown = list(dict.fromkeys(row["comment_id"] for row in outcome.tables["near_misses"] if row["side"] == side))
        gaps = {row["comment_id"]: abs(row["score"] - threshold) for row in own}
        assert [gaps[name] for name in shown] == [abs(row["score"] - threshold) for row in own[:3]]


@pytest.mark.parametrize("score", ["informativeness", "agreement", "specificity"])
def test_shares_add_up_to_the_score(tmp_path, score):
    rows, outcome = run(tmp_path, TEXTS, score=score, threshold=8.0)
    scores = {row["comment_id"]: row["score"] for row in rows}
    shares: dict[str, float] = {}
    for row in outcome.tables["near_misses"]:
        shares[row["comment_id"]] = shares.get(row["comment_id"], 0.0) + row["share"]
    assert shares
    for name, summed in shares.items():
        assert summed == pytest.approx(scores[name], abs=0.02)


def test_signals_of_several_scores_carry_their_names(tmp_path):
    _, outcome = run(tmp_path, TEXTS, score=["informativeness", "learned"], threshold=8.0)
    assert {row["signal"].partition(":")[0] for row in outcome.tables["near_misses"]} == {"informativeness", "learned"}


def test_comments_asked_for_are_explained_wherever_they_are(tmp_path):
    from photocritic.config import FilterParams, LanguageParams
    from photocritic.filtering.filter_comments import filter_comments

    comments = write(tmp_path / "comments.parquet", TEXTS)
    places = (tmp_path / "captions.parquet", tmp_path / "ngrams.parquet", FilterParams(), LanguageParams())
    outcome = filter_comments(comments, None, *places, tmp_path / "work", ["c6"])  # rejected as too long
    assert "c6" in {row["comment_id"] for row in outcome.tables["near_misses"] if row["side"] == "asked for"}
    with pytest.raises(ParamsError, match="no comment has the id c99"):
        filter_comments(comments, None, *places, tmp_path / "again", ["c99"])


def test_a_chain_without_a_score_has_no_near_misses(tmp_path):
    _, outcome = run(tmp_path, TEXTS, chain=["clean", "empty"])
    assert outcome.tables["near_misses"] == []
