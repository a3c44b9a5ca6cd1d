"""Finds filters by name: `rules/<name>.py` with a function `create(params)`."""

from importlib import import_module
from pkgutil import iter_modules

from photocritic.errors import ParamsError
from photocritic.filtering import rules
from photocritic.filtering.contract import Filter
from photocritic.params import FilterParams


def available() -> list[str]:
    """Give the names of all filters, sorted."""
    return sorted(module.name for module in iter_modules(rules.__path__))


def create(name: str, params: FilterParams) -> Filter:
    """Make a filter.

    Raises
    ------
    ParamsError
        No filter has this name.
    """
    if name not in available():
        raise ParamsError(f"filter: no filter is called '{name}'; known are {', '.join(available())}")
    made: Filter = import_module(f"{rules.__name__}.{name}").create(params)
    return made


def chain(params: FilterParams) -> list[Filter]:
    """Make the filters of AIC section 3, in the order in which they judge."""
    names = ["empty", *(["english"] if params.english_only else []), "length"]
    names += [*(["contest"] if params.contest_words else []), "informative"]
    return [create(name, params) for name in names]
