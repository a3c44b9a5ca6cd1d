"""Finds tables by name: `<name>_table.py` of this folder has all that is known of one."""

from functools import cache
from importlib import import_module
from pathlib import Path

import pyarrow as pa

from photocritic.core.errors import TableError
from photocritic.tables.table import Sizes, Table

_SUFFIX = "_table"


def available() -> list[str]:
    """Return the names of all tables, sorted."""
    found = Path(__file__).parent.glob(f"*{_SUFFIX}.py")
    return sorted(path.stem.removesuffix(_SUFFIX) for path in found)


@cache
def find(name: str) -> Table:
    """Return a table by name.

    Raises
    ------
    TableError
        No table has this name.
    """
    if name not in available():
        raise TableError(f"no table is called '{name}'; known are {', '.join(available())}")
    module = import_module(f"photocritic.tables.{name}{_SUFFIX}")
    return next(value for value in vars(module).values() if isinstance(value, Table))


def name_of(path: Path) -> str:
    """Return the name of the table that a file holds: the file's own, or its folder's where a table has many files.

    Raises
    ------
    TableError
        Neither is a table's name.
    """
    for name in (path.stem, path.parent.name):
        if name in available():
            return name
    raise TableError(f"{path}: no table has this name; known are {', '.join(available())}")


def schema(name: str, **sizes: Sizes) -> pa.Schema:
    """Return a table's schema by its name; `sizes` as in `Table.schema`."""
    return find(name).schema(**sizes)
