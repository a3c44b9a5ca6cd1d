"""Finds filters by name: `rules/<name>.py` holds one class of them; `filter.chain` says which judge, in what order."""

import difflib
from importlib import import_module
from inspect import getdoc
from pkgutil import iter_modules

from pydantic import ValidationError

from photocritic.config import FilterParams
from photocritic.core.errors import ParamsError
from photocritic.filtering import filters as rules
from photocritic.filtering.contract import Filter, FittedFilter


def available() -> list[str]:
    """Give the names of all filters, sorted."""
    return sorted(module.name for module in iter_modules(rules.__path__) if not module.name.startswith("_"))


def find(name: str) -> type[Filter]:
    """Give the class of a filter.

    Raises
    ------
    ParamsError
        No filter has this name.
    """
    if name not in available():
        near = difflib.get_close_matches(name, available(), n=1, cutoff=0.0)
        raise ParamsError(
            f"filter.chain: no filter is called '{name}'; did you mean '{near[0]}'? (photocritic filters)"
        )
    module = import_module(f"{rules.__name__}.{name}")
    own = [value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__]
    return next(value for value in own if issubclass(value, Filter) and value not in {Filter, FittedFilter})


def chain(params: FilterParams) -> list[Filter]:
    """Make the filters of `params.chain`, in the order in which they judge.

    Raises
    ------
    ParamsError
        An unknown filter or option, or an impossible value; the message names the place in the chain.
    """
    made = []
    for position, entry in enumerate(params.chain):
        ((name, options),) = {entry: {}}.items() if isinstance(entry, str) else entry.items()
        kind = find(name)
        try:
            made.append(kind(kind.Options.model_validate(options or {}), params))
        except ValidationError as error:
            raise ParamsError(
                "; ".join(_explain(kind, position, name, problem) for problem in error.errors())
            ) from None
    return made


def summary(name: str) -> str:
    """Give the first line of a filter's docstring."""
    return (getdoc(find(name)) or "").partition("\n")[0]


def _explain(kind: type[Filter], position: int, name: str, problem: object) -> str:
    assert isinstance(problem, dict)
    key = ".".join(str(part) for part in problem["loc"])
    place = f"filter.chain[{position}].{name}.{key}"
    if problem["type"] == "extra_forbidden":
        near = difflib.get_close_matches(key, kind.Options.model_fields, n=1, cutoff=0.0)
        return f"{place}: unknown option" + (f"; did you mean '{near[0]}'?" if near else "")
    return f"{place}: {str(problem['msg']).removeprefix('Value error, ')} (got {problem['input']!r})"
