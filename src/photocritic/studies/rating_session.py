"""Raters at work: which trial is theirs, and what they answered.

A trial has as many places as raters were planned for it. An answer takes a place for good, and a trial that is open
for a rater takes one for `LEASE` seconds; so no trial is given to more raters at a time than planned, and none ever has
more answers. An answer that comes later than that still counts, unless others have taken the places meanwhile.
"""

import hashlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from photocritic.core.errors import PhotocriticError
from photocritic.studies import study_kinds
from photocritic.studies.raters import Rater, Unanswerable, find_rater, sign_in
from photocritic.studies.study_file import connect, read_terms

LEASE = 600.0  # seconds that an open trial is kept for a rater


class NotYours(PhotocriticError):
    """An answer to a trial that is not this rater's to answer now."""


@dataclass(frozen=True)
class Task:
    """What a rater sees: captions in the order shown, and the answer where it was given before, in the same order."""

    trial: int
    photograph: int
    captions: tuple[str, ...]
    training: bool
    answer: int | None


@dataclass(frozen=True)
class Progress:
    """How far a rater is: trials answered and to answer, of training and of those that count."""

    trained: int
    training: int
    done: int
    total: int


class Sessions:
    """All raters of one study; safe for threads here and for other processes on the same file.

    Parameters
    ----------
    path : Path
        The study's file.
    clock : callable
        Returns seconds since 1970.

    Raises
    ------
    PhotocriticError
        The file is not a study or cannot be written to.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._open = ExitStack()
        self._database = self._open.enter_context(connect(path))
        self.terms = read_terms(self._database)
        self.kind = study_kinds.find(self.terms.kind)
        try:
            self._database.executescript("BEGIN IMMEDIATE; ROLLBACK")
        except sqlite3.Error as error:
            self._open.close()
            raise PhotocriticError(f"{path}: cannot be written to ({error})") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(sqlite3.Error):  # all stands in the file then, also where another process has it open still
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._open.close()

    def sign_in(self, token: str, name: str, group: str) -> Rater:
        """Bind an invitation to a rater for good, or return its rater, as `raters.sign_in`."""
        with self._transaction() as database:
            return sign_in(database, token, name, group)

    def rater(self, token: str) -> Rater | None:
        """Return the rater who has taken up an invitation; None where nobody has, and for those who are excluded."""
        with self._lock:
            return find_rater(self._database, token)

    def task(self, rater: Rater) -> Task | None:
        """Return the rater's open trial, or the next one; None where nothing is left now."""
        with self._transaction() as database:
            held = database.execute("SELECT trial FROM answers WHERE rater = ? AND value IS NULL", (rater.number,))
            trial = self._renew(rater, *held.fetchone() or (0,)) or self._next(rater)
            return self._read(rater, trial) if trial else None

    def last(self, rater: Rater) -> Task | None:
        """Return the trial that the rater answered last, to change the answer."""
        with self._lock:
            trial = self._last(rater)
            return self._read(rater, trial) if trial else None

    def answer(self, rater: Rater, trial: int, value: int) -> None:
        """Write an answer to the open trial, or change the last one; it is on the disk when this returns.

        Raises
        ------
        Unanswerable
            The value is none of the kind's.
        NotYours
            The trial is neither open for this rater nor the last answered, or others have taken its places.
        """
        if not self.kind.admits(value):
            raise Unanswerable(f"{value} is no answer in a study of kind '{self.kind.name}'")
        with self._transaction() as database:
            if not self._may_answer(rater, trial):
                raise NotYours("this trial is not open any more; go on with the next one")
            row = {"trial": trial, "rater": rater.number, "value": value, "now": self._clock()}
            (turned,) = database.execute(_TURNED, row).fetchone()
            row["value"] = study_kinds.turned(value) if turned else value
            database.execute(_ANSWER, row)

    def progress(self, rater: Rater) -> Progress:
        """Count what the rater has done and has left."""
        with self._lock:
            rows = self._database.execute(
                "SELECT training, count(*) FROM answers JOIN trials ON number = trial "
                "WHERE rater = ? AND value IS NOT NULL GROUP BY training",
                (rater.number,),
            )
            done = dict(rows.fetchall())
            left = len(self._free(rater, after=self.terms.training))
        return Progress(done.get(1, 0), self.terms.training, done.get(0, 0), done.get(0, 0) + left)

    def photograph(self, number: int) -> bytes | None:
        """Return a photograph as JPEG."""
        with self._lock:
            row = self._database.execute("SELECT jpeg FROM photographs WHERE number = ?", (number,)).fetchone()
        return bytes(row[0]) if row else None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def _may_answer(self, rater: Rater, trial: int) -> bool:
        row = self._database.execute(_KNOWN, {"trial": trial, "rater": rater.number}).fetchone()
        if row is None:
            return False
        return self._last(rater) == trial if row[0] else bool(self._free(rater, only=trial))

    def _renew(self, rater: Rater, trial: int) -> int:
        """Renew a trial for the rater, or drop it (0) where others have taken all its places meanwhile."""
        row = {"trial": trial, "rater": rater.number, "now": self._clock()}
        if trial and self._free(rater, only=trial):
            self._database.execute(_RENEW, row)
            return trial
        self._database.execute(_DROP, row)
        return 0

    def _next(self, rater: Rater) -> int:
        """Return a new trial: training first and in order, then at random.

        Where trials have a number of raters, those that others have begun come first, so that an unfinished study has
        as many finished trials as can be.
        """
        free = self._free(rater)
        if not free:
            return 0
        trial, _ = min(free, key=lambda one: self._rank(rater, *one))
        turned = self.kind.captions == 2 and self._draw(rater, trial, "side") % 2 == 1
        row = (trial, rater.number, turned, self._clock())
        self._database.execute("INSERT INTO answers (trial, rater, turned, given) VALUES (?, ?, ?, ?)", row)
        return trial

    def _rank(self, rater: Rater, trial: int, taken: int) -> tuple[int, int, int]:
        if trial <= self.terms.training:
            return (0, 0, trial)
        return (1, -taken if self.terms.raters else 0, self._draw(rater, trial, "order"))

    def _draw(self, rater: Rater, trial: int, what: str) -> int:
        text = f"{self.terms.seed} {rater.number} {trial} {what}"
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())

    def _free(self, rater: Rater, *, only: int = 0, after: int = 0) -> list[tuple[int, int]]:
        """List the trials with a place for the rater, who has not answered them, and the places others have taken."""
        since = self._clock() - LEASE
        wanted = {"rater": rater.number, "since": since, "raters": self.terms.raters, "only": only, "after": after}
        return self._database.execute(_FREE, wanted).fetchall()

    def _last(self, rater: Rater) -> int:
        row = self._database.execute(
            "SELECT trial FROM answers WHERE rater = ? AND value IS NOT NULL ORDER BY place DESC LIMIT 1",
            (rater.number,),
        ).fetchone()
        return int(row[0]) if row else 0

    def _read(self, rater: Rater, trial: int) -> Task:
        photograph, training, turned, value = self._database.execute(
            "SELECT photograph, training, turned, value FROM trials JOIN answers ON trial = number "
            "WHERE number = ? AND rater = ?",
            (trial, rater.number),
        ).fetchone()
        rows = self._database.execute("SELECT text FROM captions WHERE trial = ? ORDER BY place", (trial,))
        texts = [text for (text,) in rows]
        if turned:
            texts.reverse()
            value = None if value is None else study_kinds.turned(value)
        return Task(trial, photograph, tuple(texts), bool(training), value)


_KNOWN = "SELECT value IS NOT NULL FROM answers WHERE trial = :trial AND rater = :rater"
_TURNED = "SELECT turned FROM answers WHERE trial = :trial AND rater = :rater"
_RENEW = "UPDATE answers SET given = :now WHERE trial = :trial AND rater = :rater"
_DROP = "DELETE FROM answers WHERE trial = :trial AND rater = :rater"
_ANSWER = """
UPDATE answers SET value = :value, answered = coalesce(answered, :now),
    place = coalesce(place, (SELECT coalesce(max(place), 0) + 1 FROM answers WHERE rater = :rater))
WHERE trial = :trial AND rater = :rater
"""
_FREE = """
SELECT number, count(others.rater) AS taken FROM trials
LEFT JOIN answers AS own ON own.trial = number AND own.rater = :rater
LEFT JOIN answers AS others ON others.trial = number AND others.rater != :rater
    AND (others.value IS NOT NULL OR others.given > :since)
    AND others.rater NOT IN (SELECT number FROM raters WHERE excluded)
WHERE own.value IS NULL AND number > :after AND (:only = 0 OR number = :only)
GROUP BY number HAVING training OR :raters = 0 OR taken < :raters
"""
