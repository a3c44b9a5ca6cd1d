"""Measures of a critique model, with intervals, and the learning curve."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from photocritic.filtering.critique import critique_quality
from photocritic.filtering.critique.critique_inputs import InputExtractor
from photocritic.filtering.critique.critique_quality import area_under_curve, learning_curve, quality
from tests.filtering.critique.conftest import community, tag


def test_measures_of_a_worked_example():
    informs = np.array([True, True, False, True, False, False])
    probabilities = np.array([0.9, 0.8, 0.7, 0.2, 0.1, 0.1])
    found = {
        row["measure"]: row for row in quality(informs, probabilities, np.array([5, 20, 5, 5, 5, 20]), np.arange(6))
    }
    assert found["precision"]["value"] == pytest.approx(
        2 / 3
    )  # three are kept: 2 (.9 + .8 + .7) / (3 + 2.8) is largest
    assert found["recall"]["value"] == pytest.approx(2 / 3)
    assert found["AUC"]["value"] == pytest.approx(8 / 9)
    assert found["AUC, at most 12 words"]["value"] == pytest.approx(3 / 4)
    assert found["F1 of keeping all"]["value"] == pytest.approx(2 / 3)
    for row in found.values():
        assert row["low"] <= row["value"] <= row["high"]


def test_more_comments_make_intervals_narrower():
    rng = np.random.default_rng(0)
    widths = []
    for size in (60, 600):
        informs = rng.random(size) < 0.5
        found = quality(
            informs, np.clip(informs * 0.4 + rng.random(size) * 0.6, 0, 1), np.full(size, 9), np.arange(size)
        )
        widths.append(found[3]["high"] - found[3]["low"])
    assert widths[1] < widths[0] / 2


def test_the_area_is_scikit_learns():
    rng = np.random.default_rng(0)
    for size in (5, 50, 500):
        informs, scores = rng.random(size) < 0.4, rng.integers(0, 20, size) / 20  # many equal ones
        informs[:2] = True, False
        assert area_under_curve(informs, scores) == pytest.approx(roc_auc_score(informs, scores), abs=1e-12)


def test_without_both_kinds_there_is_no_curve():
    assert np.isnan(area_under_curve(np.array([True, True]), np.array([0.1, 0.2])))


def test_the_learning_curve_goes_up_to_all(bundled, monkeypatch):
    monkeypatch.setattr(critique_quality, "CURVE", (8, 40))
    comments = community(20)
    inputs = InputExtractor(bundled.table).extract(tag([text for _, text, _ in comments]))
    worth = np.array([float(informs) for _, _, informs in comments])
    groups = np.unique([image for image, _, _ in comments], return_inverse=True)[1]
    rows = learning_curve(bundled.table, inputs, worth, groups, 7)
    assert [row["judged"] for row in rows] == [8, 40, 72]
    assert rows[-1]["AUC"] >= rows[0]["AUC"]
