"""A file of judged comments: texts, their photographs, and how informative people found them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from photocritic.core.errors import CorpusError
from photocritic.ingest.parsing.entries import TEXT
from photocritic.ingest.parsing.rows import Row, read_rows

Floats = NDArray[np.float64]

_GRADES = ("grade", "keep")  # columns of judgements; or several whose names begin with grade_
_LARGEST = {"grade": 3.0, "keep": 1.0}
# The probability that a comment informs, by its mean grade: 0 not about the photograph, 1 would fit thousands of
# others, 2 particular, 3 rich. Half-way between 1 and 2 the judges are of two minds.
_EVEN = 0.5
_MEAN_GRADES, _WORTH = [0.0, 1.0, 1.5, 2.0, 3.0], [0.0, 0.1, 0.5, 0.9, 1.0]


@dataclass(frozen=True)
class JudgedComments:
    """Comments with people's judgement.

    Attributes
    ----------
    texts : list of str
        Different comments under a photograph, as they were written.
    worth : ndarray of float64, (N,)
        The probability that each informs, 0 to 1.
    images : list of str
        The photograph of each; a comment without one has a name of its own.
    """

    texts: list[str]
    worth: Floats
    images: list[str]

    @property
    def informative(self) -> NDArray[np.bool_]:
        """Which comments are to be kept, (N,): a mean grade above 1.5, or more than half of the judges."""
        return self.worth > _EVEN


def read_judged(path: Path) -> JudgedComments:
    """Read judged comments from a CSV, TSV or JSON Lines file.

    Parameters
    ----------
    path : Path
        Columns `text`, `image` (optional), and a judgement: `grade` from 0 to 3, `keep` (0 or 1), or several columns
        `grade_...` of several judges. A comment in several rows has the mean of its judgements.

    Raises
    ------
    CorpusError
        The file cannot be read or is empty, a row has no text or an impossible judgement (with its line), or all
        comments are judged alike.
    """
    found: dict[tuple[str, str], list[float]] = {}
    for row in read_rows(path, path.name, "comment", needed=(TEXT,)):
        if not isinstance(row, Row):
            raise CorpusError(f"{path}, line {row.position}: {row.reason}; mend the row or take it out")
        text = next((row.values[name] for name in TEXT if name in row.values), None)
        if not isinstance(text, str) or not text.strip():
            raise CorpusError(f"{path}, line {row.position}: there is no text; mend the row or take it out")
        image = str(row.values.get("image") or f"line {row.position}")
        found.setdefault((image, text), []).extend(_judgements(path, row))
    worth = np.array([float(np.mean(judgements)) for judgements in found.values()])
    if not len(worth):
        raise CorpusError(f"{path}: has no judged comments")
    if len(np.unique(worth > _EVEN)) < 2:
        raise CorpusError(f"{path}: there must be comments that inform and comments that do not; all are judged alike")
    return JudgedComments([text for _, text in found], worth, [image for image, _ in found])


def _judgements(path: Path, row: Row) -> list[float]:
    """Return a row's judgements as probabilities that the comment informs."""
    names = [name for name in row.values if name in _GRADES or name.startswith("grade_")]
    if not names:
        raise CorpusError(f"{path}: there is no column of judgements; it is named grade (0 to 3) or keep (0 or 1)")
    values = [(name, _number(row.values[name])) for name in names if row.values[name] not in ("", None)]
    for name, value in values:
        largest = _LARGEST.get(name, _LARGEST["grade"])
        if value is None or not 0 <= value <= largest:
            raise CorpusError(
                f"{path}, line {row.position}: {name} is {row.values[name]!r}; write a number from 0 to {largest:.0f}"
            )
    if not values:
        raise CorpusError(f"{path}, line {row.position}: there is no judgement; write one or take the row out")
    keep = [float(value or 0) for name, value in values if name == "keep"]
    grades = [float(value or 0) for name, value in values if name != "keep"]
    return [*keep, *([float(np.interp(np.mean(grades), _MEAN_GRADES, _WORTH))] if grades else [])]


def _number(value: object) -> float | None:
    try:
        return float(str(value))
    except ValueError:
        return None
