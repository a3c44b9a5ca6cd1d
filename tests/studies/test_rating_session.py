"""Raters in the study's file: whose trial is whose, what an answer changes, what is refused."""

import pytest

from photocritic.studies.rating_session import LEASE, NotYours, Sessions, Unanswerable
from photocritic.studies.study_file import connect, read_ratings
from tests.studies.conftest import join, rate_all


def test_a_rater_trains_first_and_then_rates_everything_once_in_an_own_order(sessions):
    one = sessions(images=5, training=3)
    orders = [rate_all(one, join(one, name, "expert")) for name in ("Anna", "Ben")]
    for order in orders:
        assert order[:3] == [1, 2, 3]
        assert sorted(order[3:]) == list(range(4, 19))
    assert orders[0] != orders[1]
    assert one.progress(join(one, "Anna", "expert")).done == 15


def test_training_does_not_count(study):
    path = study(images=2, training=3)
    with Sessions(path) as one:
        rate_all(one, join(one, "Anna", "expert"))
    with connect(path) as database:
        assert {rating.trial for rating in read_ratings(database)} == set(range(4, 10))


def test_no_trial_is_given_to_more_raters_than_planned(sessions):
    one = sessions(images=3, training=0, raters=2)
    raters = [join(one, f"rater {number}", "non-expert") for number in range(5)]
    finished = dict.fromkeys(raters, 0)
    while any(tasks := {rater: one.task(rater) for rater in raters}.values()):
        held = [task.trial for task in tasks if task]
        assert max(map(held.count, held)) <= 2
        for rater, task in zip(raters, tasks, strict=True):
            if task:
                one.answer(rater, task.trial, 1)
                finished[rater] += 1
    counts = dict(one._database.execute("SELECT trial, count(value) FROM answers GROUP BY trial").fetchall())
    assert counts == dict.fromkeys(range(1, 10), 2)


def test_trials_that_others_began_are_finished_first(sessions):
    one = sessions(images=9, training=0, raters=3)
    anna, ben = join(one, "Anna", "expert"), join(one, "Ben", "expert")
    begun = one.task(anna).trial
    one.answer(anna, begun, 1)
    assert one.task(ben).trial == begun


def test_an_open_trial_returns_to_the_others_after_a_while(sessions):
    one = sessions(images=1, training=0, raters=1, sources=("ns",))
    anna, ben = join(one, "Anna", "expert"), join(one, "Ben", "expert")
    trial = one.task(anna).trial
    assert one.task(ben) is None
    one._clock.now += LEASE + 1
    assert one.task(ben).trial == trial
    with pytest.raises(NotYours):
        one.answer(anna, trial, 1)
    assert one.task(anna) is None
    one.answer(ben, trial, 2)
    assert one._database.execute("SELECT count(*), max(value) FROM answers WHERE value IS NOT NULL").fetchone() == (
        1,
        2,
    )


def test_a_late_answer_counts_where_the_place_is_still_free(sessions):
    one = sessions(images=1, training=0, raters=1, sources=("ns",))
    anna = join(one, "Anna", "expert")
    trial = one.task(anna).trial
    one._clock.now += 100 * LEASE
    one.answer(anna, trial, 1)
    assert one.progress(anna).done == 1


def test_the_last_answer_can_be_changed_and_no_other(sessions):
    one = sessions(images=2, training=0)
    anna = join(one, "Anna", "expert")
    assert one.last(anna) is None
    first = one.task(anna).trial
    one.answer(anna, first, 1)
    second = one.task(anna).trial
    one.answer(anna, second, 1)
    opened = one.task(anna).trial
    assert (one.last(anna).trial, one.last(anna).answer) == (second, 1)
    one.answer(anna, second, 3)
    one.answer(anna, second, 3)  # a browser that did not hear the confirmation sends it again
    assert one.last(anna).answer == 3
    assert one.task(anna).trial == opened
    assert one.progress(anna).done == 2
    with pytest.raises(NotYours):
        one.answer(anna, first, 3)
    with pytest.raises(NotYours):
        one.answer(join(one, "Ben", "expert"), first, 3)


@pytest.mark.parametrize("trial", [0, 999, -1])
def test_a_trial_that_is_not_given_cannot_be_answered(sessions, trial):
    one = sessions()
    anna = join(one, "Anna", "expert")
    one.task(anna)
    with pytest.raises(NotYours):
        one.answer(anna, trial, 2)
    with pytest.raises(Unanswerable, match="9 is no answer"):
        one.answer(anna, 1, 9)


def test_a_pair_is_shown_in_both_orders_and_kept_in_one(study):
    path = study(kind="pairs", images=30, training=0, raters=0, sources=("ns", "cs"))
    with connect(path) as database:
        texts = dict(database.execute("SELECT trial, text FROM captions WHERE place = 0").fetchall())
    shown_first = 0
    with Sessions(path) as one:
        anna = join(one, "Anna", "expert")
        while task := one.task(anna):
            place = task.captions.index(texts[task.trial])
            shown_first += place == 0
            one.answer(anna, task.trial, place + 1)  # always the caption of ns
            assert one.last(anna).answer == place + 1
            assert one.last(anna).captions == task.captions
    assert 5 < shown_first < 25
    with connect(path) as database:
        ratings = read_ratings(database)
    assert {(rating.sources, rating.value) for rating in ratings} == {(("ns", "cs"), 1)}


def test_both_and_neither_do_not_depend_on_the_order(study):
    path = study(kind="multiple", images=20, training=0, sources=("ns", "cs"))
    with Sessions(path) as one:
        anna = join(one, "Anna", "expert")
        given = []
        while task := one.task(anna):
            given.append(3 if len(given) % 2 else 0)
            one.answer(anna, task.trial, given[-1])
    with connect(path) as database:
        assert sorted(rating.value for rating in read_ratings(database)) == sorted(given)


def test_the_answers_of_a_rater_keep_their_order(sessions):
    one = sessions(images=4, training=2)
    anna, ben = join(one, "Anna", "expert"), join(one, "Ben", "expert")
    order = rate_all(one, anna)
    rate_all(one, ben)
    rows = one._database.execute("SELECT trial, place FROM answers WHERE rater = ? ORDER BY place", (anna.number,))
    assert rows.fetchall() == [(trial, place) for place, trial in enumerate(order, 1)]
