"""A study's file: older versions, permissions, and files that are none."""

import sqlite3

import pytest

from photocritic.core.errors import PhotocriticError
from photocritic.studies.raters import exclude
from photocritic.studies.rating_session import Sessions
from photocritic.studies.study_file import Terms, connect, locate, read_judged, read_ratings, write
from photocritic.studies.study_kinds import GRADED
from photocritic.studies.trial_plan import Candidate, Line, Plan, Trial
from tests.studies.conftest import join, rate_all


def test_a_study_of_the_first_version_goes_on_with_its_raters_and_answers(study):
    path = study(images=2, training=0)
    with Sessions(path) as one:
        order = rate_all(one, join(one, "Anna"))
    with connect(path) as database:  # as it was: a token in clear for each rater, and nobody invited
        database.executescript(
            "PRAGMA foreign_keys = OFF; DROP TABLE invitations;"
            "CREATE TABLE old (number INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL UNIQUE,"
            " grouping TEXT NOT NULL, token TEXT NOT NULL UNIQUE);"
            "INSERT INTO old SELECT number, name, key, grouping, 'in-clear-' || number FROM raters;"
            "DROP TABLE raters; ALTER TABLE old RENAME TO raters;"
            "ALTER TABLE captions DROP COLUMN comment_id; PRAGMA user_version = 1"
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


def test_a_study_of_the_second_version_goes_on_without_the_comments_that_it_did_not_keep(study):
    path = study(images=2, training=0)
    with Sessions(path) as one:
        order = rate_all(one, join(one, "Anna"))
    with connect(path) as database:
        database.executescript("ALTER TABLE captions DROP COLUMN comment_id; PRAGMA user_version = 2")
    with Sessions(path) as one:
        assert one.progress(join(one, "Anna")).done == len(order)
    with connect(path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (3,)
        assert database.execute("SELECT DISTINCT comment_id FROM captions").fetchall() == [(None,)]


def test_grades_are_read_with_their_comments_but_not_those_of_training_and_of_the_excluded(tmp_path):
    lines = [Trial(f"image{n}", (Line("random-accepted", f"words {n}", f"comment{n}"),), n == 0) for n in range(3)]
    drawn = Plan([Candidate(f"image{n}", "", {}) for n in (2, 0, 1)], lines)
    write(tmp_path / "one.db", Terms("grades", GRADED, 1, 0, 7), drawn, [b""] * 3)
    with Sessions(tmp_path / "one.db") as one:
        rate_all(one, join(one, "Anna"), 3)
        rate_all(one, join(one, "Ben"), 0)
        rate_all(one, join(one, "Forger"), 1)
        exclude(one._database, "Forger")
        assert read_judged(one._database) == [
            {"comment_id": f"comment{n}", "image": f"image{n}", "text": f"words {n}", "rater": rater, "grade": grade}
            for n in (1, 2)
            for rater, grade in ((1, 3), (2, 0))
        ]
        assert one.photograph(1) == b""


def test_a_study_is_its_owners_alone(study):
    path = study()
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    with Sessions(path) as one:
        rate_all(one, join(one, "Anna"))
        assert {file.stat().st_mode & 0o777 for file in path.parent.glob("one.db*")} == {0o600}


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
