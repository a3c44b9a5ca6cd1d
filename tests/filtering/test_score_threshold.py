"""Where scores are cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.filtering.score_threshold import probability_threshold, share_threshold, valley

PROBABILITIES = st.lists(st.floats(0, 1), min_size=1, max_size=60)


@given(st.lists(st.floats(0, 1e3), min_size=1, max_size=50, unique=True), st.integers(0, 20))
def test_keep_a_share(scores, twentieths):
    share = twentieths / 20
    assert (np.array(scores) >= share_threshold(share, np.array(scores))).sum() == round(share * len(scores))


@given(st.integers(20, 200), st.integers(20, 200), st.integers(0, 99))
def test_the_valley_lies_between_two_humps(low, high, seed):
    random = np.random.default_rng(seed)
    scores = np.concatenate([random.uniform(0, 2, low), random.uniform(15, 30, high)])
    assert scores[:low].max() < valley(scores) <= scores[low:].min()


@pytest.mark.parametrize("scores", [[3.0], [0.0, 0.0], [5.0, 5.0, 5.0]])
def test_equal_scores_are_cut_without_failing(scores):
    assert np.isfinite(valley(np.array(scores)))
    assert np.isfinite(probability_threshold("auto", np.array(scores) / 10))


@given(PROBABILITIES)
def test_no_other_cut_promises_a_better_f1(probabilities):
    values = np.array(probabilities)

    def promised(cut):
        kept = values >= cut
        return 2 * values[kept].sum() / max(kept.sum() + values.sum(), 1e-9)

    assert promised(probability_threshold("auto", values)) >= max(map(promised, values)) - 1e-9


@given(PROBABILITIES, st.floats(0.05, 1))
def test_a_precision_is_promised_and_no_lower_cut_promises_it(probabilities, wanted):
    values = np.sort(probabilities)
    cut = probability_threshold(f"precision {wanted}", values)
    if (kept := values >= cut).any():
        assert values[kept].mean() >= wanted - 1e-9 or (values == cut).sum() > 1  # equal ones are kept together
    lower = values[values < cut]
    if len(lower) and (lower < lower[-1]).any():
        assert values[values >= lower[-1]].mean() < wanted + 1e-9


@given(PROBABILITIES, st.floats(0.05, 1))
def test_a_recall_is_promised(probabilities, wanted):
    values = np.array(probabilities)
    kept = values >= probability_threshold(f"recall {wanted}", values)
    assert values[kept].sum() >= wanted * values.sum() - 1e-9
