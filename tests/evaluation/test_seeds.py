"""Means and differences over seeds, and over photographs beside them."""

import numpy as np
import pytest
from scipy.stats import ttest_rel

from photocritic.core.errors import PhotocriticError
from photocritic.evaluation.seeds import SeedRun, over_seeds
from photocritic.report.seed_tables import seeds_markdown

CIDER = {"ns": {1: 0.30, 2: 0.34, 3: 0.29}, "cws": {1: 0.41, 2: 0.40, 3: 0.45}}


def runs(settings="", shift=0.0, seeds=(1, 2, 3)):
    """Make a run of each seed: scores of 50 photographs whose mean is the number, and a BLEU that is none."""
    found = []
    for seed in seeds:
        noise = np.random.default_rng(seed).normal(size=50)
        scores = {name: {"cider_d": noise - noise.mean() + some[seed] + shift} for name, some in CIDER.items()}
        numbers = {
            name: {"cider_d": float(one["cider_d"].mean()), "bleu_4": 0.1 * seed} for name, one in scores.items()
        }
        for some in scores.values():
            some["bleu_4"] = np.zeros(50)
        found.append(SeedRun(seed, settings, numbers, scores))
    return found


def only(estimates, metric, condition, baseline=""):
    [one] = [one for one in estimates if (one.metric, one.condition, one.baseline) == (metric, condition, baseline)]
    return one


def test_means_and_deviations_are_over_seeds_and_the_bootstrap_over_photographs():
    found = over_seeds(runs(), ["bleu_4", "cider_d", "spice"], 0)
    assert {one.metric for one in found} == {"bleu_4", "cider_d"}  # spice was not measured
    one = only(found, "cider_d", "ns")
    assert (one.seeds, one.mean) == (3, pytest.approx(0.31))
    assert one.deviation == pytest.approx(np.std([0.30, 0.34, 0.29], ddof=1))
    assert one.low == pytest.approx(0.31 - 4.302653 * one.deviation / 3**0.5)  # t of 2 degrees of freedom
    assert one.photographs_low < one.mean < one.photographs_high
    assert only(found, "bleu_4", "ns").photographs_low is None  # BLEU is no mean over photographs


def test_a_difference_is_paired_by_seed_and_agrees_with_the_paired_t_test():
    one = only(over_seeds(runs(), ["cider_d"], 0), "cider_d", "cws", "ns")
    reference = ttest_rel(list(CIDER["cws"].values()), list(CIDER["ns"].values())).confidence_interval(0.95)
    assert (one.low, one.high) == (pytest.approx(reference.low), pytest.approx(reference.high))
    assert one.photographs_high - one.photographs_low < 1e-9  # both have the same noise on each photograph


def test_settings_are_compared_variant_by_variant_over_the_seeds_that_both_have():
    found = over_seeds(runs() + runs("words_weight=0", -0.1, (2, 3)), ["cider_d"], 0)
    pairs = {(one.condition, one.baseline): one.seeds for one in found if one.baseline}
    assert pairs == {
        ("cws", "ns"): 3,
        ("cws (words_weight=0)", "ns (words_weight=0)"): 2,
        ("ns (words_weight=0)", "ns"): 2,
        ("cws (words_weight=0)", "cws"): 2,
    }
    assert only(found, "cider_d", "cws (words_weight=0)", "cws").mean == pytest.approx(-0.1)


def test_one_seed_is_refused():
    with pytest.raises(PhotocriticError, match="all have one seed"):
        over_seeds(runs(seeds=(1,)), ["cider_d"], 0)


def test_numbers_without_scores_have_no_interval_over_photographs():
    bare = [SeedRun(run.seed, run.settings, run.numbers) for run in runs()]
    assert all(one.photographs_low is None for one in over_seeds(bare, ["cider_d"], 0))


def test_the_tables_have_a_row_a_condition_and_a_row_a_pair():
    text = seeds_markdown(over_seeds(runs(), ["bleu_4", "cider_d"], 0))
    assert "| variant | seeds | BLEU-4 | CIDEr-D |" in text
    assert "| ns | 3 | 0.200 ± 0.100 | 0.310 ± 0.026 [" in text
    assert "| cws − ns | 3 | +0.000, +0.000 to +0.000 | +0.110, " in text
