"""A check that failed, in words that may be logged: what was expected, what was found, and which rows offend."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from photocritic.validation.checks import NOT_UTF8, Check

if TYPE_CHECKING:
    import pandas as pd

SHOWN_ROWS = 5  # offending rows that a message shows of a check at most


@dataclass(frozen=True)
class Failure:
    """One check that failed.

    Attributes
    ----------
    expectation, column : str
        What was expected, of which column (or of the table).
    observed : str
        What was found instead.
    rows : tuple of str
        A few offending rows.
    """

    expectation: str
    column: str
    observed: str
    rows: tuple[str, ...] = ()


def describe(
    item: Any, check: Check, frame: "pd.DataFrame", public: Collection[str], derived: Collection[str], numbered: bool
) -> Failure:
    """Describe a failed expectation.

    Parameters
    ----------
    item : ExpectationValidationResult
        What Great Expectations found.
    check : Check
        What was expected.
    frame : pandas.DataFrame
        What it looked at.
    public : collection of str
        The columns whose texts may be shown.
    derived : collection of str
        The frame's columns that the table does not have; they are not shown.
    numbered : bool
        Whether the frame's rows are the table's, so that their numbers can be shown.
    """
    arguments = check.arguments
    pair = [arguments[name] for name in ("column_A", "column_B") if name in arguments]
    column = arguments.get("column") or ", ".join(arguments.get("column_list", pair)) or "rows"
    problem = _exception(item.exception_info)
    if problem:
        return Failure(check.words, column, problem)
    result = item.result
    if "unexpected_count" not in result:
        return Failure(check.words, column, str(result.get("observed_value")))
    places = list(result.get("unexpected_index_list") or [])[:SHOWN_ROWS]
    found = list(result.get("partial_unexpected_list") or [])[:SHOWN_ROWS]
    values = ", ".join(dict.fromkeys(_shown(value) for value in found if _is_public(value, column in public)))
    is_shown = values and (column not in derived or column == NOT_UTF8)
    examples = f", {'in' if column == NOT_UTF8 else 'such as'} {values}" if is_shown else ""
    observed = f"{result['unexpected_count']} of {len(frame)} rows{examples}"
    rows = tuple(_row(frame, place, public, derived, numbered) for place in places)
    return Failure(check.words, column, observed, rows)


def _shown(value: object) -> str:
    if value is None or value != value:  # noqa: PLR0124 - NaN alone differs from itself
        return "null"
    return repr(value[:80]) if isinstance(value, str) else str(value)[:80]


def _exception(info: Any) -> str:
    """Return the message of a check that could not run; a missing column reports it under a metric's id."""
    if not info:
        return ""
    entries = [info] if "raised_exception" in info else list(info.values())
    messages = [str(entry.get("exception_message", "")) for entry in entries if entry.get("raised_exception")]
    return " ".join(messages[0].split()) if messages else ""


def _is_public(value: object, column_is_public: bool) -> bool:
    """Return whether a message may show a value: a number, or one word of a column that holds nobody's words."""
    if not isinstance(value, str):
        return not isinstance(value, list | tuple)
    return column_is_public and len(value.split()) < 2


def _row(frame: "pd.DataFrame", place: Any, public: Collection[str], derived: Collection[str], numbered: bool) -> str:
    index = place if isinstance(place, int) else next(iter(place.values()), 0) if isinstance(place, dict) else 0
    row = {key: value for key, value in frame.iloc[int(index)].to_dict().items() if key not in derived}
    values = (f"{key}={_outlined(value, key in public)}" for key, value in row.items())
    return "; ".join([*([f"row {index}"] if numbered else []), *values])


def _outlined(value: object, column_is_public: bool) -> str:
    if _shown(value) == "null":
        return "null"
    if not _is_public(value, column_is_public):
        return f"{len(value)} characters" if isinstance(value, str) else "several values"
    return ascii(value)[1:-1][:60] if isinstance(value, str) and not value.isprintable() else str(value)[:60]
