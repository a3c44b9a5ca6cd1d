"""Learning from judged comments: what can be learned is learned, and nothing of a comment's own photograph."""

import numpy as np

from photocritic.filtering.critique.critique_fit import cross_validate, fit_critique_model
from photocritic.filtering.critique.critique_inputs import InputExtractor
from tests.filtering.critique.conftest import community, tag


def judged(bundled, images=40):
    comments = community(images)
    inputs = InputExtractor(bundled.table).extract(tag([text for _, text, _ in comments]))
    worth = np.array([float(informs) for _, _, informs in comments])
    groups = np.unique([image for image, _, _ in comments], return_inverse=True)[1]
    return inputs, worth, groups


def test_what_informs_can_be_turned_round(bundled):
    inputs, worth, _ = judged(bundled)
    usual = fit_critique_model(bundled.table, inputs, worth, 7).log_odds(inputs)
    turned = fit_critique_model(bundled.table, inputs, 1 - worth, 7).log_odds(inputs)
    assert ((usual > 0) == (worth == 1)).all()
    assert ((turned > 0) == (worth == 0)).all()


def test_comments_that_judges_differ_about_are_near_even_odds(bundled):
    inputs, worth, _ = judged(bundled)
    model = fit_critique_model(bundled.table, inputs, np.full_like(worth, 0.5), 7)
    assert np.abs(model.log_odds(inputs)).max() < 0.1


def test_cross_validation_learns_nothing_where_there_is_nothing_to_learn(bundled):
    inputs, worth, groups = judged(bundled, 60)
    chance = np.random.default_rng(1).permutation(worth)
    found = cross_validate(bundled.table, inputs, chance, groups, 7)
    assert abs(found[chance == 1].mean() - found[chance == 0].mean()) < 0.15
    found = cross_validate(bundled.table, inputs, worth, groups, 7)
    assert found[worth == 1].min() > found[worth == 0].max()


def test_fewer_judged_comments_teach_less(bundled):
    inputs, worth, groups = judged(bundled)
    few = cross_validate(bundled.table, inputs, worth, groups, 7, most=8)
    many = cross_validate(bundled.table, inputs, worth, groups, 7)
    assert np.abs(many - worth).mean() < np.abs(few - worth).mean()


def test_a_constant_signal_and_equal_seeds_make_no_difference(bundled):
    inputs, worth, _ = judged(bundled)
    first, second = (fit_critique_model(bundled.table, inputs, worth, 7) for _ in range(2))
    assert np.array_equal(first.landmarks, second.landmarks)
    assert np.array_equal(first.weights, second.weights)
    assert np.isfinite(first.scale).all()
