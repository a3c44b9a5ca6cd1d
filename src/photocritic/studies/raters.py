"""The raters of a study: invitations, who signs in with one, and whose answers are excluded."""

import secrets
import sqlite3
import unicodedata
from dataclasses import dataclass

from photocritic.core.errors import PhotocriticError
from photocritic.studies.study_file import hashed
from photocritic.studies.study_kinds import GROUPS

_NAME = 80  # characters of a rater's name, at most
_RATER = "SELECT number, name, grouping FROM raters"
_INVITATION = "SELECT rater, excluded FROM invitations LEFT JOIN raters ON number = rater WHERE hash = ?"


class Unanswerable(PhotocriticError):
    """Input that can never be taken: a name, a group or a value out of range."""


class NotInvited(PhotocriticError):
    """A sign-in without an invitation to the study, or with one of a rater who was excluded."""


@dataclass(frozen=True)
class Rater:
    """Somebody who has signed in."""

    number: int
    name: str
    group: str


def sign_in(database: sqlite3.Connection, token: str, name: str, group: str) -> Rater:
    """Bind an invitation to a rater for good, or return its rater; call it in a transaction.

    Parameters
    ----------
    database : sqlite3.Connection
        The study.
    token : str
        Of the invitation.
    name, group : str
        Who the rater says they are; the same each time.

    Raises
    ------
    NotInvited
        There is no such invitation, or its rater was excluded.
    Unanswerable
        The name is empty, too long or another rater's, the group is unknown, or the invitation is another's.
    """
    shown = " ".join(unicodedata.normalize("NFKC", name).split())
    if not 0 < len(shown) <= _NAME or not shown.isprintable():
        raise Unanswerable(f"a name has 1 to {_NAME} printable characters")
    if group not in GROUPS:
        raise Unanswerable(f"a group is one of {', '.join(GROUPS)}")
    invitation = database.execute(_INVITATION, (hashed(token),)).fetchone()
    if invitation is None or invitation[1]:
        raise NotInvited("open the link by which you were invited: nobody rates without")
    if invitation[0] is None:
        return _add(database, token, shown, group)
    found = Rater(*database.execute(f"{_RATER} WHERE number = ?", invitation[:1]).fetchone())
    if shown.casefold() != found.name.casefold():
        raise Unanswerable("this invitation is taken up under another name; sign in with that one")
    if found.group != group:
        raise Unanswerable(f"'{found.name}' has signed in as {found.group}; take that")
    return found


def _add(database: sqlite3.Connection, token: str, name: str, group: str) -> Rater:
    """Add the rater of an invitation that nobody has taken up."""
    if database.execute(f"{_RATER} WHERE key = ?", (name.casefold(),)).fetchone():
        raise Unanswerable(f"another rater is called '{name}'; take another name")
    row = (name, name.casefold(), group)
    number = database.execute("INSERT INTO raters (name, key, grouping) VALUES (?, ?, ?)", row).lastrowid or 0
    database.execute("UPDATE invitations SET rater = ? WHERE hash = ?", (number, hashed(token)))
    return Rater(number, name, group)


def find_rater(database: sqlite3.Connection, token: str) -> Rater | None:
    """Return the rater who has taken up an invitation; None where nobody has, and for those who are excluded."""
    row = database.execute(
        f"{_RATER} JOIN invitations ON rater = number WHERE hash = ? AND NOT excluded", (hashed(token),)
    ).fetchone()
    return Rater(*row) if row else None


def invite(database: sqlite3.Connection, count: int) -> list[str]:
    """Make invitations and return their tokens, which are nowhere else: the file keeps their hashes alone."""
    tokens = [secrets.token_urlsafe(18) for _ in range(count)]
    database.execute("BEGIN IMMEDIATE")
    database.executemany("INSERT INTO invitations (hash) VALUES (?)", [(hashed(token),) for token in tokens])
    database.execute("COMMIT")
    return tokens


def exclude(database: sqlite3.Connection, rater: str, excluded: bool = True) -> tuple[int, int]:
    """Exclude a rater's answers from all results, or count them again.

    Parameters
    ----------
    database : sqlite3.Connection
        The study.
    rater : str
        The name, or the number that stands in raters.csv.
    excluded : bool
        Whether they are left out.

    Returns
    -------
    int, int
        The rater's number, and how many answers that are not of training they have given.

    Raises
    ------
    PhotocriticError
        There is no such rater.
    """
    wanted = {"key": " ".join(unicodedata.normalize("NFKC", rater).split()).casefold(), "number": -1}
    if rater.isdecimal() and len(rater) < 10:
        wanted["number"] = int(rater)
    found = database.execute(
        "SELECT number FROM raters WHERE key = :key OR number = :number ORDER BY key = :key DESC", wanted
    ).fetchone()
    if found is None:
        raise PhotocriticError(f"no rater is called '{rater}' or has this number: see raters.csv of the study's report")
    database.execute("UPDATE raters SET excluded = ? WHERE number = ?", (excluded, *found))
    (answers,) = database.execute(
        "SELECT count(*) FROM answers JOIN trials ON number = trial "
        "WHERE rater = ? AND value IS NOT NULL AND NOT training",
        found,
    ).fetchone()
    return int(found[0]), int(answers)


def count_excluded(database: sqlite3.Connection) -> int:
    """Count the raters whose answers do not count."""
    return int(database.execute("SELECT count(*) FROM raters WHERE excluded").fetchone()[0])
