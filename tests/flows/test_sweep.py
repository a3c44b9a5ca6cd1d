"""The points of a sweep."""

import pytest

from flows.sweep import points, seed_runs
from photocritic.core.errors import ParamsError

GRID = {"lda.topics": [24, 50], "lstm_train.hidden": [192, 256, 512]}


def test_a_grid_has_every_combination_once():
    found = points(GRID, samples=0, seed=1)
    assert len(found) == 6
    assert found[0] == {"lda.topics": 24, "lstm_train.hidden": 192}
    assert len({tuple(point.values()) for point in found}) == 6


def test_samples_are_different_points_and_the_same_for_a_seed():
    drawn = points(GRID, samples=4, seed=1)
    assert drawn == points(GRID, samples=4, seed=1)
    assert len({tuple(point.values()) for point in drawn}) == 4
    assert all(point in points(GRID, 0, 0) for point in drawn)


def test_runs_of_a_grid_of_seeds_are_told_apart_by_its_other_parameters():
    numbers = {"ns.cider_d": 0.1, "cws.cider_d": 0.2, "val.cws.cider_d": 0.3, "images": 6.0}
    [run] = seed_runs([{"seed": 3, "lda.topics": 50}], [numbers])
    assert (run.seed, run.settings) == (3, "lda.topics=50")
    assert run.numbers == {"ns": {"cider_d": 0.1}, "cws": {"cider_d": 0.2}}


def test_an_empty_grid_is_refused():
    for grid in ({}, {"lda.topics": []}):
        with pytest.raises(ParamsError, match="grid"):
            points(grid, samples=0, seed=1)
