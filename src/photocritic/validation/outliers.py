"""The rows of a large table that fail a check: a few of each batch, found by looking at all of them."""

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic.validation.checks import Check

FEW = 20  # rows that are shown of a batch and a check
DIFFERENT = 200  # values that a column of few may have in a batch for each of them to be looked at

Places = NDArray[np.int64]


def places(table: pa.Table, checks: Sequence[Check]) -> Places:
    """Find the rows of a batch that fail a check, so that a sample of a large table has them.

    Great Expectations looks at the sample, and alone decides; a row too many does no harm. Checks that some rows may
    fail (`mostly`) are left to the even sample, whose shares they are about, and keys to `duplicates.repeated`.

    Parameters
    ----------
    table : pyarrow.Table
        Plain columns; checks of others are passed over.
    checks : sequence of Check
        The checks of a table.

    Returns
    -------
    ndarray of int64
        A few rows of each check that some fail, ascending, and the first row of each value in columns whose number of
        different values is checked.
    """
    found = [np.empty(0, np.int64)]
    for check in checks:
        names = [check.arguments[name] for name in ("column", "column_A", "column_B") if name in check.arguments]
        find = _FAILING.get(check.kind)
        if find and set(names) <= set(table.column_names) and check.arguments.get("mostly", 1) == 1:
            found.append(find(check, *(table.column(name).combine_chunks() for name in names)))
    return np.unique(np.concatenate(found))


def _outside(check: Check, values: pa.Array) -> Places:
    low, high = check.arguments["min_value"], check.arguments["max_value"]
    below = np.empty(0, np.int64) if low is None else _few(pc.less(values, low))
    return below if high is None else np.concatenate([below, _few(pc.greater(values, high))])


def _not_among(check: Check, values: pa.Array) -> Places:
    known = pa.array(list(check.arguments["value_set"]), values.type)
    return _few(pc.and_(pc.invert(pc.is_in(values, value_set=known)), values.is_valid()))


def _like(check: Check, values: pa.Array) -> pa.Array:
    return pc.match_substring_regex(values, _re2(check.arguments["regex"]))


def _few(mask: pa.Array) -> Places:
    return np.flatnonzero(np.asarray(pc.fill_null(mask, False)))[:FEW]


def _re2(regex: str) -> str:
    r"""Write an expression for RE2, which takes no zero in it, and to which a blank is one of ASCII's."""
    return regex.replace("\x00", "\\x00").replace(r"\S", r"[^\s\x0b\x1c-\x1f\x{85}\p{Z}]")


def _first_of_each(array: pa.Array) -> Places:
    coded = array.dictionary_encode()
    if len(coded.dictionary) > DIFFERENT:
        return np.empty(0, np.int64)
    return np.unique(np.asarray(pc.fill_null(coded.indices, -1)), return_index=True)[1]


_FAILING: dict[str, Callable[..., Places]] = {
    "ExpectColumnValuesToNotBeNull": lambda _, values: _few(pc.is_null(values, nan_is_null=True)),
    "ExpectColumnValuesToMatchRegex": lambda check, values: _few(pc.invert(_like(check, values))),
    "ExpectColumnValuesToNotMatchRegex": lambda check, values: _few(_like(check, values)),
    "ExpectColumnValuesToBeInSet": _not_among,
    "ExpectColumnValuesToBeBetween": _outside,
    "ExpectColumnPairValuesAToBeGreaterThanB": lambda _, values, others: _few(pc.less(values, others)),
    "ExpectColumnUniqueValueCountToBeBetween": lambda _, values: _first_of_each(values),
}
