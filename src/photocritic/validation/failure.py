"""A check that failed, in words that may be logged: what was expected, what was found, and which rows offend."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from photocritic.validation.suites import IN_WORDS

if TYPE_CHECKING:
    import pandas as pd

SHOWN_ROWS = 5  # offending rows that are told of a check at most
# Columns whose texts a message may show. What people have written or are called is in the others: messages reach logs,
# MLflow and Prefect, so that these stand on the local Data Docs page alone.
PUBLIC = frozenset(
    {"image_id", "split", "format", "path", "sha256", "variant", "metric", "type", "polarity", "syntax", "not_utf8"}
)


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


def failure(item: Any, frame: "pd.DataFrame", numbered: bool = True) -> Failure:
    """Tell of a failed expectation.

    Parameters
    ----------
    item : ExpectationValidationResult
        What Great Expectations found.
    frame : pandas.DataFrame
        What it looked at.
    numbered : bool
        Whether the frame's rows are the table's, so that their numbers can be told.
    """
    config = item.expectation_config
    arguments = config.kwargs
    pair = [arguments[name] for name in ("column_A", "column_B") if name in arguments]
    column = arguments.get("column") or ", ".join(arguments.get("column_list", pair)) or "rows"
    expectation = _told(config.type, column, arguments)
    problem = _exception(item.exception_info)
    if problem:
        return Failure(expectation, column, problem)
    result = item.result
    if "unexpected_count" not in result:
        return Failure(expectation, column, str(result.get("observed_value")))
    places = list(result.get("unexpected_index_list") or [])[:SHOWN_ROWS]
    found = list(result.get("partial_unexpected_list") or [])[:SHOWN_ROWS]
    values = dict.fromkeys(_shown(value) for value in found if _is_public(column, value))
    told = f", such as {', '.join(values)}" if values and column not in IN_WORDS else ""
    if column == "not_utf8" and values:
        told = f", in {', '.join(values)}"
    observed = f"{result['unexpected_count']} of {len(frame)} rows{told}"
    return Failure(expectation, column, observed, tuple(_row(frame, place, numbered) for place in places))


def _told(kind: str, column: str, arguments: Any) -> str:
    low, high = arguments.get("min_value"), arguments.get("max_value")
    regex = str(arguments.get("regex"))
    if column in IN_WORDS or regex in IN_WORDS:
        return IN_WORDS.get(column) or IN_WORDS[regex]
    return {
        "expect_column_values_to_not_be_null": _filled(column),
        "expect_column_values_to_be_unique": "no value twice",
        "expect_compound_columns_to_be_unique": "no combination twice",
        "expect_column_values_to_be_between": _range(low, high),
        "expect_table_row_count_to_be_between": f"{low} or more",
        "expect_column_unique_value_count_to_be_between": f"at most {high} different values",
        "expect_column_values_to_be_in_set": f"one of {', '.join(map(_shown, arguments.get('value_set') or ()))}",
        "expect_column_values_to_match_regex": f"text like {regex}",
        "expect_column_pair_values_a_to_be_greater_than_b": "the first at least as large as the second",
    }.get(kind, kind)


def _filled(column: str) -> str:
    of_a_vector = column.endswith(("_min", "_max", "_sum"))
    return "numbers alone, none missing or infinite" if of_a_vector else "a value in every row"


def _range(low: Any, high: Any) -> str:
    told = {"at least": low, "at most": high}
    return " and ".join(f"{words} {value:g}" for words, value in told.items() if value is not None)


def _shown(value: object) -> str:
    if value is None or value != value:  # noqa: PLR0124 - NaN alone differs from itself
        return "null"
    return repr(value[:80]) if isinstance(value, str) else str(value)[:80]


def _exception(info: Any) -> str:
    """Give the message of a check that could not run; a missing column reports it under a metric's id."""
    if not info:
        return ""
    entries = [info] if "raised_exception" in info else list(info.values())
    messages = [str(entry.get("exception_message", "")) for entry in entries if entry.get("raised_exception")]
    return " ".join(messages[0].split()) if messages else ""


def _is_public(column: str, value: object) -> bool:
    """Tell whether a message may show a value: a number, or one word of a column that holds nobody's words."""
    if not isinstance(value, str):
        return not isinstance(value, list | tuple)
    return column in PUBLIC and len(value.split()) < 2


def _row(frame: "pd.DataFrame", place: Any, numbered: bool) -> str:
    index = place if isinstance(place, int) else next(iter(place.values()), 0) if isinstance(place, dict) else 0
    row = {key: value for key, value in frame.iloc[int(index)].to_dict().items() if key not in IN_WORDS}
    told = [f"row {index}"] if numbered else []
    return "; ".join([*told, *(f"{key}={_outlined(str(key), value)}" for key, value in row.items())])


def _outlined(column: str, value: object) -> str:
    if _shown(value) == "null":
        return "null"
    if not _is_public(column, value):
        return f"{len(value)} characters" if isinstance(value, str) else "several values"
    return ascii(value)[1:-1][:60] if isinstance(value, str) and not value.isprintable() else str(value)[:60]
