"""Differences between variants: what is one, and what only seems so."""

import numpy as np
import pytest
from scipy import stats

from photocritic.evaluation.significance import ALL_PAIRS, differences


def scores(*rows):
    return {f"v{place}": {"cider_d": np.array(row, dtype=np.float64)} for place, row in enumerate(rows)}


def noisy(shift, count=400):
    rng = np.random.default_rng(3)
    base = rng.random(count)
    return scores(base, base + shift + rng.normal(0, 0.2, count))


def test_a_clear_difference_has_two_stars_and_an_interval_around_it():
    (one,) = differences(noisy(0.1), ["cider_d"], seed=1)
    assert (one.variant, one.baseline, one.stars) == ("v1", "v0", "**")
    assert one.low < one.mean < one.high
    assert one.low > 0


def test_the_p_value_is_that_of_a_paired_t_test():
    given = noisy(0.015)
    (one,) = differences(given, ["cider_d"], seed=1)
    assert one.p_value == pytest.approx(stats.ttest_rel(given["v1"]["cider_d"], given["v0"]["cider_d"]).pvalue)


def test_the_interval_is_half_as_wide_on_four_times_as_many_images():
    small, large = (differences(noisy(0.1, count), ["cider_d"], seed=1)[0] for count in (400, 1600))
    assert (large.high - large.low) / (small.high - small.low) == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize(("rows", "p_value"), [(([1, 2], [1, 2]), 1.0), (([1, 2], [2, 3]), 0.0), (([1], [2]), 1.0)])
def test_differences_without_variance_have_a_p_value(rows, p_value):
    assert differences(scores(*rows), ["cider_d"], seed=1)[0].p_value == p_value


@pytest.mark.parametrize(("p_value", "stars"), [(0.004, "**"), (0.005, "*"), (0.04, "*"), (0.05, "")])
def test_stars_stand_as_in_the_paper(p_value, stars):
    one = differences(noisy(0.1), ["cider_d"], seed=1)[0]
    object.__setattr__(one, "p_value", p_value)
    assert one.stars == stars


def test_all_pairs_of_a_few_variants_and_the_first_against_all_of_many():
    few, many = (scores(*np.random.default_rng(0).random((count, 9))) for count in (ALL_PAIRS, ALL_PAIRS + 1))
    assert len(differences(few, ["cider_d"], seed=1)) == ALL_PAIRS * (ALL_PAIRS - 1) // 2
    assert {one.baseline for one in differences(many, ["cider_d"], seed=1)} == {"v0"}
    assert len(differences(many, ["cider_d"], seed=1)) == ALL_PAIRS
    assert differences({"alone": few["v0"]}, ["cider_d"], seed=1) == []
