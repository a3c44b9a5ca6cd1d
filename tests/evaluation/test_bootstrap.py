"""Bootstrap intervals."""

import numpy as np
import pytest

from photocritic.evaluation.bootstrap import intervals


def test_the_interval_is_that_of_the_normal_approximation_on_many_images():
    values = np.random.default_rng(0).normal(1.0, 2.0, 2000)
    span = intervals({"only": values}, seed=1)["only"]
    half = 1.96 * values.std() / np.sqrt(len(values))
    assert span.mean == pytest.approx(values.mean())
    assert span.low == pytest.approx(values.mean() - half, abs=0.01)
    assert span.high == pytest.approx(values.mean() + half, abs=0.01)


def test_a_small_but_constant_difference_is_clear_because_images_are_paired():
    values = np.random.default_rng(0).normal(1.0, 5.0, 50)
    spans = intervals({"worse": values - 0.01, "better": values}, seed=1)
    assert spans["worse"].is_clearly_behind
    assert not spans["better"].is_clearly_behind
    assert spans["worse"].high > spans["better"].low  # though the intervals themselves overlap


def test_noise_is_not_clear():
    draw = np.random.default_rng(0)
    spans = intervals({"one": draw.normal(size=100), "two": draw.normal(size=100)}, seed=1)
    assert not any(span.is_clearly_behind for span in spans.values())


def test_the_seed_decides():
    values = {"one": np.random.default_rng(0).random(30)}
    assert intervals(values, seed=3) == intervals(values, seed=3)
    assert intervals(values, seed=3) != intervals(values, seed=4)
