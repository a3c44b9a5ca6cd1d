"""Finds tables by name: `<name>_table.py` of this folder, or an extension, has all that is known of one."""

from pathlib import Path

import pyarrow as pa

from photocritic.core import plugins
from photocritic.core.errors import TableError
from photocritic.tables.table import Sizes, Table


def available() -> list[str]:
    """Return the names of all tables, sorted."""
    return list(plugins.available("table"))


def find(name: str) -> Table:
    """Return a table by name.

    Raises
    ------
    TableError
        No table has this name.
    ParamsError
        The project's file of this name cannot be used.
    """
    if message := plugins.problem("table", name):
        raise TableError(message)
    found: Table = plugins.find("table", name, "tables")
    return found


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
