"""Raters in the study's file: whose trial is whose, what an answer changes, what is refused."""

import sqlite3

import pytest

from photocritic.core.errors import PhotocriticError
from photocritic.studies.session import LEASE, NotInvited, NotYours, Sessions, Unanswerable
from photocritic.studies.store import connect, count_excluded, exclude, hashed, invite, locate, read_ratings
from tests.studies.conftest import invitation, join


class Clock:
    """A clock that a test sets."""

    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def sessions(study):
    """Give a function that opens a new study with a clock, and closes it after the test."""
    opened = []

    def build(**changes):
        one = Sessions(study(**changes), Clock())
        opened.append(one)
        return one

    yield build
    for one in opened:
        one.__exit__()


def rate(sessions, rater, value=2):
    """Answer everything; give the trials in their order."""
    trials = []
    while task := sessions.task(rater):
        sessions.answer(rater, task.trial, value)
        trials.append(task.trial)
    return trials


def test_a_rater_trains_first_and_then_rates_everything_once_in_an_own_order(sessions):
    one = sessions(images=5, training=3)
    orders = [rate(one, join(one, name, "expert")) for name in ("Anna", "Ben")]
    for order in orders:
        assert order[:3] == [1, 2, 3]
        assert sorted(order[3:]) == list(range(4, 19))
    assert orders[0] != orders[1]
    assert one.progress(join(one, "Anna", "expert")).done == 15


def test_training_does_not_count(study):
    path = study(images=2, training=3)
    with Sessions(path) as one:
        rate(one, join(one, "Anna", "expert"))
    with connect(path) as database:
        assert {rating.trial for rating in read_ratings(database)} == set(range(4, 10))


def test_an_invitation_is_one_raters_for_good_and_goes_on_where_they_stopped(study):
    """M14: nobody becomes a rater without an invitation, and nobody two raters with one."""
    path = study()
    with connect(path) as database:
        token, other = invite(database, 2)
    with Sessions(path) as one:
        anna = one.sign_in(token, "  Anna  Ärmel ", "expert")
        open_trial = one.task(anna)
        assert one.sign_in(token, "anna ÄRMEL", "expert") == one.rater(token) == anna
        assert one.task(anna) == open_trial
        one.answer(anna, open_trial.trial, 3)
        assert one.task(anna).trial != open_trial.trial
        with pytest.raises(Unanswerable, match="signed in as expert"):
            one.sign_in(token, "Anna Ärmel", "non-expert")
        for number in range(300):
            with pytest.raises(Unanswerable, match="under another name"):
                one.sign_in(token, f"rater {number}", "expert")
        with pytest.raises(Unanswerable, match="another rater is called"):
            one.sign_in(other, "Anna Ärmel", "expert")
        for guess in ("", "guessed", token[:-1], hashed(token)):
            assert one.rater(guess) is None
            with pytest.raises(NotInvited, match="invited"):
                one.sign_in(guess, "Ben", "expert")
    assert token.encode() not in path.read_bytes()


def test_who_is_excluded_counts_no_more_rates_no_more_and_leaves_the_places_to_others(study):
    """M14: a forged rater's answers are left out of everything that is counted."""
    path = study(images=3, training=1, raters=1)
    with Sessions(path) as one:
        forger, token = join(one, "Forger"), invitation(one._database, "Forger")
        assert len(rate(one, forger)) == 10
        ben = join(one, "Ben")
        assert len(rate(one, ben)) == 1  # of training: all places of the others are taken
        with connect(path) as database:
            assert exclude(database, "forger") == (forger.number, 9)
            assert read_ratings(database) == []
            assert count_excluded(database) == 1
        assert one.rater(token) is None
        with pytest.raises(NotInvited):
            one.sign_in(token, "Forger", "expert")
        assert len(rate(one, ben)) == 9
        with connect(path) as database:
            assert {rating.rater for rating in read_ratings(database)} == {ben.number}
            exclude(database, str(forger.number), excluded=False)
            assert count_excluded(database) == 0
            with pytest.raises(PhotocriticError, match="no rater is called 'Zoe'"):
                exclude(database, "Zoe")


def test_a_study_of_the_first_version_goes_on_with_its_raters_and_answers(study):
    path = study(images=2, training=0)
    with Sessions(path) as one:
        order = rate(one, join(one, "Anna"))
    with connect(path) as database:  # as it was: a token in clear for each rater, and nobody invited
        database.executescript(
            "PRAGMA foreign_keys = OFF; DROP TABLE invitations;"
            "CREATE TABLE old (number INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL UNIQUE,"
            " grouping TEXT NOT NULL, token TEXT NOT NULL UNIQUE);"
            "INSERT INTO old SELECT number, name, key, grouping, 'in-clear-' || number FROM raters;"
            "DROP TABLE raters; ALTER TABLE old RENAME TO raters; PRAGMA user_version = 1"
        )
    with Sessions(path) as one:
        anna = one.rater("in-clear-1")
        assert (anna.name, anna.group) == ("Anna", "expert")
        assert one.progress(anna).done == len(order)
        assert join(one, "Ben").number == 2
        columns = {name for _, name, *_ in one._database.execute("PRAGMA table_info(raters)")}
    assert "token" not in columns
    with connect(path) as database:
        assert len(read_ratings(database)) == len(order)


def test_a_study_is_its_owners_alone(study):
    path = study()
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    with Sessions(path) as one:
        rate(one, join(one, "Anna"))
        assert {file.stat().st_mode & 0o777 for file in path.parent.glob("one.db*")} == {0o600}


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\x00b", "\ud800"])
def test_unusable_names_are_refused(sessions, name):
    with pytest.raises(Unanswerable, match="printable"):
        join(sessions(), name)


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
    order = rate(one, anna)
    rate(one, ben)
    rows = one._database.execute("SELECT trial, place FROM answers WHERE rater = ? ORDER BY place", (anna.number,))
    assert rows.fetchall() == [(trial, place) for place, trial in enumerate(order, 1)]


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "no such study"), (b"not a database at all" * 100, "not a study"), (b"", "not a study")],
)
def test_a_file_that_is_no_study_is_refused(tmp_path, content, words):
    path = tmp_path / "other.db"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PhotocriticError, match=words):
        Sessions(path)


def test_another_programs_database_is_refused(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE terms (kind TEXT)")
    with pytest.raises(PhotocriticError, match="not a study"):
        Sessions(path)


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "-x"])
def test_a_name_that_is_no_files_is_refused(name):
    with pytest.raises(PhotocriticError, match="cannot name a study"):
        locate(name)
