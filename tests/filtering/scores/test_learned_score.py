"""The learned score in the filter."""

import pytest

from photocritic.config import FilterParams, presets
from photocritic.core.errors import CorpusError
from photocritic.filtering import filter_interface
from photocritic.filtering.critique.train_critique import train_critique
from photocritic.filtering.filter_interface import NoOptions
from photocritic.filtering.filters.score import Score
from tests.filtering.batches import batch, judge
from tests.filtering.scores.judging import PRAISE, TELLING, judged


def test_scores_are_probabilities_in_percent(tmp_path):
    scores = judged(tmp_path, [*TELLING, *PRAISE], score="learned").columns["score"]
    assert min(scores[: len(TELLING)]) > 60
    assert max(scores[len(TELLING) :]) < 25


@pytest.mark.parametrize("threshold", ["auto", "precision 0.9", "recall 0.9"])
def test_thresholds_need_no_number(tmp_path, threshold):
    reasons = judged(tmp_path, [*TELLING, *PRAISE] * 2, score="learned", threshold=threshold).reasons
    assert [not reason for reason in reasons] == ([True] * len(TELLING) + [False] * len(PRAISE)) * 2


def test_more_precision_keeps_fewer_and_more_recall_keeps_more(tmp_path):
    unsure = ["the water", "a story about light", "nice colours of the leaves", "good dof", "the eyes"]
    kept = {}
    for place, threshold in enumerate(("precision 0.95", "auto", "recall 0.99")):
        folder = tmp_path / str(place)
        folder.mkdir()
        kept[threshold] = judged(
            folder, [*TELLING, *PRAISE, *unsure], score="learned", threshold=threshold
        ).reasons.count("")
    assert kept["precision 0.95"] <= kept["auto"] < kept["recall 0.99"]


def test_a_model_of_ones_own_decides(tmp_path):
    rows = "".join(
        f"i{place},{text},{int(place < 12)}\n" for place, text in enumerate(["nice purple"] * 12 + ["green"] * 12)
    )
    (tmp_path / "judged.csv").write_text("image,text,keep\n" + rows)
    own = tmp_path / "own.safetensors"
    train_critique(tmp_path / "judged.csv", own, presets.for_filter())
    scores = judged(tmp_path, ["nice purple", "green"], score="learned", model=str(own)).columns["score"]
    assert scores[0] > 50 > scores[1]


def test_a_missing_model_is_found_before_any_work():
    with pytest.raises(CorpusError, match="no such file"):
        filter_interface.chain(FilterParams(score="learned", model="nowhere.safetensors"))


def test_a_sentence_is_judged_in_its_comment(tmp_path):
    unsure = "a story about light"
    texts, sentences = [unsure, *TELLING, unsure, *PRAISE, unsure], [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0]
    rule = Score(NoOptions(), FilterParams(score="learned", unit="sentence"))
    (found,) = judge(rule, batch(texts, sentences=sentences), folder=tmp_path)
    scores = found.columns["score"]
    among_critique, among_praise, alone = scores[0], scores[5], scores[10]
    assert among_critique > alone > among_praise
    assert among_critique < scores[1], "a sentence's own words count for more"
    explained = rule.explain(found.select([0, 5, 10]), [among_critique, among_praise, alone], tmp_path / "fitted")
    assert explained[0]["the comment around it"] > 0 > explained[1]["the comment around it"]
    assert "the comment around it" not in explained[2]
