"""A study's file: an SQLite database that holds the photographs, the trials, the raters and their answers."""

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_file
from photocritic.studies.study_kinds import KINDS
from photocritic.studies.trial_plan import Plan

FOLDER = Path("studies")
_MARK, _VERSION = 0x50435354, 3  # application_id and user_version: whose file it is, and of which layout
_BUSY = 30.0  # seconds that one process waits for another's transaction

_TABLES = """
CREATE TABLE terms (
    kind TEXT NOT NULL, sources TEXT NOT NULL,      -- sources one a line
    training INTEGER NOT NULL, raters INTEGER NOT NULL, seed INTEGER NOT NULL
);
CREATE TABLE photographs (number INTEGER PRIMARY KEY, image_id TEXT NOT NULL, jpeg BLOB NOT NULL);  -- empty: not shown
CREATE TABLE trials (
    number INTEGER PRIMARY KEY, photograph INTEGER NOT NULL REFERENCES photographs, training INTEGER NOT NULL
);
CREATE TABLE captions (
    trial INTEGER NOT NULL REFERENCES trials, place INTEGER NOT NULL, source TEXT NOT NULL, text TEXT NOT NULL,
    comment_id TEXT,                                -- null where it does not matter which comment it was
    PRIMARY KEY (trial, place)
);
CREATE TABLE raters (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL UNIQUE, -- the name without case and blanks
    grouping TEXT NOT NULL, excluded INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE invitations (                          -- whose token has the hash may rate, as one rater for good
    hash TEXT PRIMARY KEY, rater INTEGER UNIQUE REFERENCES raters
);
CREATE TABLE answers (                              -- a row once a trial was given to a rater
    trial INTEGER NOT NULL REFERENCES trials, rater INTEGER NOT NULL REFERENCES raters,
    turned INTEGER NOT NULL,                        -- 1: the second caption of the pair was shown first
    given REAL NOT NULL,                            -- seconds since 1970
    value INTEGER, answered REAL, place INTEGER,    -- null until it is answered; place: 1, 2, ... of this rater's
    PRIMARY KEY (trial, rater)
);
CREATE INDEX answers_by_rater ON answers (rater);
"""
# By the version that a study has, what makes the next of it. The first had no invitations: who has rated in one goes on
# by the cookie that was given then.
_CONVERSIONS = {
    1: """
CREATE TABLE invitations (hash TEXT PRIMARY KEY, rater INTEGER UNIQUE REFERENCES raters);
INSERT INTO invitations SELECT hash(token), number FROM raters;
CREATE TABLE invited (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL UNIQUE,
    grouping TEXT NOT NULL, excluded INTEGER NOT NULL DEFAULT 0
);
INSERT INTO invited (number, name, key, grouping) SELECT number, name, key, grouping FROM raters;
DROP TABLE raters;
ALTER TABLE invited RENAME TO raters;
""",
    2: "ALTER TABLE captions ADD COLUMN comment_id TEXT",
}


@dataclass(frozen=True)
class Terms:
    """What a study agreed on: its kind, the captions' sources, training trials, raters of a trial (0: all), seed."""

    kind: str
    sources: tuple[str, ...]
    training: int
    raters: int
    seed: int


@dataclass(frozen=True)
class Rating:
    """An answer that counts: about which captions, by whom, and what (a pair's answer in the order of `sources`)."""

    trial: int
    image_id: str
    sources: tuple[str, ...]
    rater: int
    group: str
    value: int
    seconds: float


def locate(name: str) -> Path:
    """Return the file of a study: a path that ends in .db as it stands, a name in the folder of studies.

    Raises
    ------
    PhotocriticError
        The name could not be a file's.
    """
    if name.endswith(".db"):
        return Path(name)
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise PhotocriticError(
            f"'{name}' cannot name a study; use letters, digits, '-', '_' and '.', or a path to a .db"
        )
    return FOLDER / f"{name}.db"


def write(path: Path, terms: Terms, plan: Plan, jpegs: Iterable[bytes]) -> None:
    """Write a new study, whole or not at all; `jpegs` are the plan's photographs in their order, empty if not shown."""
    numbers = {one.image_id: number for number, one in enumerate(plan.photographs, 1)}
    with ExitStack() as stack:
        temporary = stack.enter_context(atomic_file(path))
        temporary.touch(mode=0o600)  # names of people, and what they think
        database = stack.enter_context(closing(sqlite3.connect(temporary, isolation_level=None)))
        database.executescript(f"PRAGMA application_id = {_MARK}; PRAGMA user_version = {_VERSION}; {_TABLES} BEGIN")
        database.execute(
            "INSERT INTO terms VALUES (?, ?, ?, ?, ?)",
            (terms.kind, "\n".join(terms.sources), terms.training, terms.raters, terms.seed),
        )
        for one, data in zip(plan.photographs, jpegs, strict=True):
            database.execute("INSERT INTO photographs VALUES (?, ?, ?)", (numbers[one.image_id], one.image_id, data))
        for number, trial in enumerate(plan.trials, 1):
            row = (number, numbers[trial.image_id], trial.training)
            database.execute("INSERT INTO trials VALUES (?, ?, ?)", row)
            lines = [(number, place, one.source, one.text, one.comment_id) for place, one in enumerate(trial.lines)]
            database.executemany("INSERT INTO captions VALUES (?, ?, ?, ?, ?)", lines)
        database.execute("COMMIT")
        database.execute("PRAGMA journal_mode = WAL")  # readers and one writer do not wait for each other


@contextmanager
def connect(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a study's file; a commit is on the disk when it returns.

    Yields
    ------
    sqlite3.Connection
        Without implicit transactions; may be handed from thread to thread, by one at a time.

    Raises
    ------
    PhotocriticError
        There is no such file, or it is none of a study that this version knows.
    """
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in path.parent.glob("*.db"))) or "none"
        raise PhotocriticError(f"{path}: no such study; there are {known} in {path.parent}")
    with closing(sqlite3.connect(path, timeout=_BUSY, isolation_level=None, check_same_thread=False)) as database:
        _check(path, database)
        _keep_private(path)
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        yield database


def _check(path: Path, database: sqlite3.Connection) -> None:
    try:
        (mark,) = database.execute("PRAGMA application_id").fetchone()
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if mark == _MARK and version in _CONVERSIONS:
            version = _convert(database)
        known = mark == _MARK and version == _VERSION and read_terms(database).kind in KINDS
    except sqlite3.OperationalError as error:
        raise PhotocriticError(
            f"{path}: cannot be opened ({error}); the file and its folder must be writable"
        ) from None
    except sqlite3.DatabaseError as error:
        raise PhotocriticError(f"{path}: not a study ({error}); make one with photocritic study create") from None
    if not known:
        raise PhotocriticError(f"{path}: not a study of this version; make one with photocritic study create")


def _convert(database: sqlite3.Connection) -> int:
    """Convert a study of an earlier version, whole or not at all, and return the version that it has then."""
    database.create_function("hash", 1, hashed, deterministic=True)
    database.execute("BEGIN IMMEDIATE")
    try:
        (found,) = database.execute("PRAGMA user_version").fetchone()  # anew: somebody else may have been faster
        for version in range(found, _VERSION):
            for statement in filter(
                str.strip, f"{_CONVERSIONS[version]}; PRAGMA user_version = {version + 1}".split(";")
            ):
                database.execute(statement)
        database.execute("COMMIT")
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")
    return _VERSION


def _keep_private(path: Path) -> None:
    """Make a study, and what belongs to it while it is open, its owner's alone."""
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(PermissionError, FileNotFoundError):  # somebody else's, who lets us read it
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


def hashed(token: str) -> str:
    """Return what a study's file keeps of an invitation's token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def read_terms(database: sqlite3.Connection) -> Terms:
    """Read what the study agreed on."""
    kind, sources, *numbers = database.execute("SELECT kind, sources, training, raters, seed FROM terms").fetchone()
    return Terms(kind, tuple(sources.split("\n")), *numbers)


def read_ratings(database: sqlite3.Connection) -> list[Rating]:
    """Read the answers that count, in the order of trials and raters."""
    sources: dict[int, tuple[str, ...]] = {}
    for trial, source in database.execute("SELECT trial, source FROM captions ORDER BY trial, place"):
        sources[trial] = (*sources.get(trial, ()), source)
    rows = database.execute(
        "SELECT trials.number, image_id, rater, grouping, value, answered - given FROM answers "
        "JOIN trials ON trials.number = answers.trial JOIN photographs ON photographs.number = trials.photograph "
        "JOIN raters ON raters.number = answers.rater "
        "WHERE value IS NOT NULL AND NOT training AND NOT excluded ORDER BY trials.number, rater"
    )
    return [Rating(trial, image_id, sources[trial], *rest) for trial, image_id, *rest in rows]


def count_trials(database: sqlite3.Connection) -> dict[tuple[str, ...], int]:
    """Count the trials that count, by the sources of their captions."""
    counts: dict[tuple[str, ...], int] = {}
    rows = database.execute(
        "SELECT group_concat(source, char(10)) FROM (SELECT trial, source FROM captions JOIN trials ON number = trial "
        "WHERE NOT training ORDER BY trial, place) GROUP BY trial"
    )
    for (joined,) in rows:
        key = tuple(joined.split("\n"))
        counts[key] = counts.get(key, 0) + 1
    return counts


def read_judged(database: sqlite3.Connection) -> list[dict[str, Any]]:
    """Read the grades that count with the comments they are of: a row a comment and rater, in that order."""
    rows = database.execute(
        "SELECT comment_id, image_id, text, rater, value FROM answers JOIN trials ON trials.number = answers.trial "
        "JOIN photographs ON photographs.number = photograph JOIN captions ON captions.trial = answers.trial "
        "JOIN raters ON raters.number = rater "
        "WHERE value IS NOT NULL AND NOT training AND NOT excluded ORDER BY trials.number, rater"
    )
    return [dict(zip(("comment_id", "image", "text", "rater", "grade"), row, strict=True)) for row in rows]
