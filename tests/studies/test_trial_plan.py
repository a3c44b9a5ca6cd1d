"""A study is drawn blind, with a seed, and only from what can be compared."""

from collections import Counter

import pytest

from photocritic.core.errors import PhotocriticError
from photocritic.studies.study_kinds import KINDS, find
from photocritic.studies.trial_plan import Candidate, plan
from tests.studies.conftest import candidates


def test_the_same_seed_draws_the_same_and_another_does_not():
    some = candidates(30)
    first, again, other = (plan(KINDS["rating"], some, images=10, training=5, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_every_source_of_a_photograph_is_asked_about_and_training_is_on_others():
    drawn = plan(KINDS["rating"], candidates(30), images=10, training=5, seed=1)
    training, counted = drawn.trials[:5], drawn.trials[5:]
    assert [trial.training for trial in drawn.trials] == [True] * 5 + [False] * 30
    sources = {(trial.image_id, line.source) for trial in counted for line in trial.lines}
    assert len(sources) == 30
    assert Counter(source for _, source in sources) == {"ns": 10, "cs": 10, "cws": 10}
    assert not {trial.image_id for trial in training} & {trial.image_id for trial in counted}
    assert len({trial.image_id for trial in training}) == 5


def test_the_order_tells_nothing():
    drawn = plan(KINDS["rating"], candidates(30), images=20, training=0, seed=3)
    order = [trial.lines[0].source for trial in drawn.trials]
    assert order != sorted(order)
    assert order != ["ns", "cs", "cws"] * 20
    assert [one.image_id for one in drawn.photographs] != sorted(one.image_id for one in drawn.photographs)


def test_informative_takes_two_of_each_verdict():
    some = candidates(9, ("accepted", "discarded"), each=4)
    some.append(Candidate("lonely", "", {"accepted": ["one"], "discarded": ["a", "b"]}))
    drawn = plan(KINDS["informative"], some, images=9, training=0, seed=1)
    counts = Counter((trial.image_id, trial.lines[0].source) for trial in drawn.trials)
    assert set(counts.values()) == {2}
    assert len(drawn.trials) == 36
    assert "lonely" not in {trial.image_id for trial in drawn.trials}
    assert len({(trial.image_id, trial.lines[0]) for trial in drawn.trials}) == 36


def test_pairs_take_all_pairs_of_sources_but_never_the_same_words_twice():
    some = [*candidates(4), Candidate("same", "", {"ns": ["nice"], "cs": ["nice"], "cws": ["nice"]})]
    some.append(Candidate("partly", "", {"ns": ["nice"], "cs": ["nice"], "cws": ["good"]}))
    drawn = plan(KINDS["pairs"], some, images=5, training=0, seed=1)
    pairs = Counter(tuple(line.source for line in trial.lines) for trial in drawn.trials)
    assert pairs == {("ns", "cs"): 4, ("ns", "cws"): 5, ("cs", "cws"): 5}
    assert all(trial.lines[0].text != trial.lines[1].text for trial in drawn.trials)


def test_too_few_photographs_are_told_with_how_many_there_are():
    with pytest.raises(PhotocriticError, match="only 6 have"):
        plan(KINDS["rating"], candidates(6), images=5, training=2, seed=1)


def test_an_unknown_kind_is_told_with_the_known_ones():
    with pytest.raises(PhotocriticError, match=r"'ratings'.*rating, informative, yesno"):
        find("ratings")


@pytest.mark.parametrize(
    ("kind", "good", "bad"), [("rating", 3, 0), ("grades", 0, 4), ("yesno", 0, 2), ("pairs", 1, 3), ("multiple", 3, 4)]
)
def test_only_answers_of_the_kind_are_admitted(kind, good, bad):
    assert KINDS[kind].admits(good)
    assert not KINDS[kind].admits(bad)
    assert KINDS["informative"].admits(0)
    assert KINDS["informative"].admits(100)
    assert not KINDS["informative"].admits(101)
    assert not KINDS["informative"].admits(-1)
