"""The checks that tables are made of: each is one expectation of Great Expectations, and the words for it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from great_expectations.expectations.expectation import Expectation

SUM_TOLERANCE = 1e-3  # float32 rows of a few hundred shares add up to 1 within this

NOT_UTF8 = "not_utf8"  # a derived column: the name of the column whose text is not UTF-8
GRID_SUFFIX = "_is_finite"  # of the derived column that stands for a grid

_WORD = r"\S"
_UNDECODED = "[\x00\ufffd]"  # zeros of UTF-16, and what stands for bytes that were no text
_NAME = r"^\S*(?:\d\S*|\.\w{2,5})$"  # of an image, a comment or an author: one piece with a digit or a suffix


@dataclass(frozen=True)
class Check:
    """What must hold for a column, or for a table.

    Attributes
    ----------
    kind : str
        The class of the expectation, which is made when a gate needs it: its library takes a second to import.
    arguments : dict of str to Any
        What the expectation is made with.
    words : str
        What is expected, for messages.
    derive : callable, optional
        Takes rows of the table and returns truth values, (rows,): the column that the check looks at, which the table
        itself does not have.
    of_sample : bool
        Whether `derive` takes all rows that are looked at rather than one batch of them.
    """

    kind: str
    arguments: dict[str, Any]
    words: str
    derive: Callable[[pa.Table], pa.Array] | None = field(default=None, compare=False)
    of_sample: bool = False

    def expectation(self, number: int) -> "Expectation":
        """Return the expectation, with a number by which its result is known."""
        import great_expectations.expectations as gxe

        made: Expectation = getattr(gxe, self.kind)(**self.arguments, meta={"check": number})
        return made


def filled(column: str) -> Check:
    """Expect a value in every row."""
    return Check("ExpectColumnValuesToNotBeNull", {"column": column}, "a value in every row")


def not_blank(*columns: str) -> tuple[Check, ...]:
    """Expect something but blanks in each column."""
    return tuple(matches(column, _WORD, "something but blanks") for column in columns)


def matches(column: str, regex: str, words: str = "") -> Check:
    """Expect texts like a regular expression."""
    return Check("ExpectColumnValuesToMatchRegex", {"column": column, "regex": regex}, words or f"text like {regex}")


def written(column: str) -> tuple[Check, ...]:
    """Expect what people write: words, decoded rightly, and not a column of names in their place."""
    undecoded = {"column": column, "regex": _UNDECODED}
    words = "no zero and no U+FFFD among its characters"
    return (*not_blank(column), Check("ExpectColumnValuesToNotMatchRegex", undecoded, words), no_names(column))


def no_names(column: str) -> Check:
    """Expect that at most half of the texts look like names of files or people."""
    arguments = {"column": column, "regex": _NAME, "mostly": 0.5}
    return Check("ExpectColumnValuesToNotMatchRegex", arguments, "not the names of images, comments or authors")


def few_values(column: str, most: int) -> Check:
    """Expect a limited number of different values."""
    arguments = {"column": column, "max_value": most}
    return Check("ExpectColumnUniqueValueCountToBeBetween", arguments, f"at most {most} different values")


def utf8() -> Check:
    """Expect texts that can be read."""
    return Check("ExpectColumnValuesToBeInSet", {"column": NOT_UTF8, "value_set": [""]}, "UTF-8 in every column")


def has_rows() -> Check:
    """Expect at least one row."""
    return Check("ExpectTableRowCountToBeBetween", {"min_value": 1}, "1 or more")


def unique(columns: tuple[str, ...]) -> Check:
    """Expect that no two rows have the same values in some columns."""
    if len(columns) == 1:
        return Check("ExpectColumnValuesToBeUnique", {"column": columns[0]}, "no value twice")
    return Check("ExpectCompoundColumnsToBeUnique", {"column_list": list(columns)}, "no combination twice")


def between(column: str, low: float | None, high: float | None) -> Check:
    """Expect numbers within limits, inclusive; None is no limit."""
    limits = {"at least": low, "at most": high}
    words = " and ".join(f"{word} {value:g}" for word, value in limits.items() if value is not None)
    return Check("ExpectColumnValuesToBeBetween", {"column": column, "min_value": low, "max_value": high}, words)


def at_least(column: str, other: str) -> Check:
    """Expect that a column's number is nowhere less than another's."""
    arguments = {"column_A": column, "column_B": other, "or_equal": True}
    return Check("ExpectColumnPairValuesAToBeGreaterThanB", arguments, "the first at least as large as the second")


def among(column: str, values: list[Any]) -> Check:
    """Expect one of some values."""
    words = f"one of {', '.join(map(repr, values))}"
    return Check("ExpectColumnValuesToBeInSet", {"column": column, "value_set": values}, words)


def holds(
    name: str, words: str, derive: Callable[[pa.Table], pa.Array], *, mostly: float = 1, of_sample: bool = False
) -> Check:
    """Expect what no single column says.

    Parameters
    ----------
    name : str
        What messages call it, as if it were a column.
    words : str
        What is expected.
    derive : callable
        Takes rows of the table and returns whether it holds for each.
    mostly : float
        The share of rows for which it must.
    of_sample : bool
        Whether all rows that are looked at are to be compared with each other.
    """
    arguments = {"column": name, "value_set": [True], "mostly": mostly}
    return Check("ExpectColumnValuesToBeInSet", arguments, words, derive, of_sample)


def shares(column: str) -> tuple[Check, ...]:
    """Expect that each row's vector is a distribution."""
    return (
        between(f"{column}_min", 0.0, None),
        between(f"{column}_sum", 1.0 - SUM_TOLERANCE, 1.0 + SUM_TOLERANCE),
    )


def reason_where_rejected(verdict: str) -> Check:
    """Expect a `reason` in exactly those rows in which a column of truth values is false."""

    def derive(table: pa.Table) -> pa.Array:
        without = pc.equal(pc.fill_null(table.column("reason"), ""), "")
        return pc.equal(pc.fill_null(table.column(verdict), False), without)

    return holds("verdict_is_consistent", "a reason where it is rejected and none where it is kept", derive)


def finite(column: str, kind: pa.DataType) -> Check:
    """Expect numbers in a vector or a grid, of which `sampling` has made plain columns."""
    words = "numbers alone, none missing or infinite"
    if pa.types.is_fixed_size_list(kind.value_type):
        arguments = {"column": f"{column}{GRID_SUFFIX}", "value_set": [True]}
        return Check("ExpectColumnValuesToBeInSet", arguments, words)
    return Check("ExpectColumnValuesToNotBeNull", {"column": f"{column}_sum"}, words)
