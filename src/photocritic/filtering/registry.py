"""The filters by name, and the chain that `filter.chain` makes of them."""

import difflib
from inspect import getdoc

from pydantic import ValidationError

from photocritic.config import FilterParams
from photocritic.core import plugins
from photocritic.core.errors import ParamsError
from photocritic.filtering.filter_interface import Filter


def available() -> list[str]:
    """Return the names of all filters, sorted."""
    return list(plugins.available("filter"))


def find(name: str) -> type[Filter]:
    """Return the class of a filter; raises ParamsError where there is none of this name."""
    found: type[Filter] = plugins.find("filter", name, "filter.chain")
    return found


def chain(params: FilterParams) -> list[Filter]:
    """Return the filters of `params.chain`, in the order in which they judge.

    Raises
    ------
    ParamsError
        An unknown filter or option, an impossible value, or a filter that reads a column which no filter before it
        adds; the message names the place in the chain.
    """
    made: list[Filter] = []
    for position, entry in enumerate(params.chain):
        ((name, options),) = {entry: {}}.items() if isinstance(entry, str) else entry.items()
        kind = find(name)
        if missing := set(kind.reads) - {column for rule in made for column in rule.adds}:
            raise ParamsError(
                f"filter.chain[{position}].{name}: reads {', '.join(sorted(missing))}, which no filter before it adds; "
                f"put one before it that does ({', '.join(_adding(missing))})"
            )
        try:
            made.append(kind(kind.Options.model_validate(options or {}), params))
        except ValidationError as error:
            raise ParamsError(
                "; ".join(_explain(kind, position, name, problem) for problem in error.errors())
            ) from None
    return made


def summary(name: str) -> str:
    """Return the first line of a filter's docstring."""
    return (getdoc(find(name)) or "").partition("\n")[0]


def _adding(columns: set[str]) -> list[str]:
    return [name for name in available() if columns & find(name).adds.keys()]


def _explain(kind: type[Filter], position: int, name: str, problem: object) -> str:
    assert isinstance(problem, dict)
    key = ".".join(str(part) for part in problem["loc"])
    place = f"filter.chain[{position}].{name}.{key}"
    if problem["type"] == "extra_forbidden":
        near = difflib.get_close_matches(key, kind.Options.model_fields, n=1, cutoff=0.0)
        return f"{place}: unknown option" + (f"; did you mean '{near[0]}'?" if near else "")
    return f"{place}: {str(problem['msg']).removeprefix('Value error, ')} (got {problem['input']!r})"
