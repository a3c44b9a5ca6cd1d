"""What is known of a table, and where: `<name>_table.py` beside this file, or an extension, says it of one."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from photocritic.core import plugins
from photocritic.core.errors import TableError
from photocritic.validation import Failure, Suite

if TYPE_CHECKING:
    from photocritic.config import Params

VECTOR = pa.list_(pa.float32(), 1)  # as many numbers as a file has
GRID = pa.list_(pa.list_(pa.float16(), 1), 1)  # as many cells, and numbers in each, as a file has

Sizes = int | tuple[int, int]  # numbers of a vector, or cells of a grid and numbers of each


@dataclass(frozen=True)
class TableView:
    """Some rows of a table. `one & other` are the rows of both.

    Attributes
    ----------
    columns : tuple of str
        The columns that it looks at.
    mask : callable
        Takes rows with these columns and returns which of them are wanted: truth values (rows,), none of them null.
    """

    columns: tuple[str, ...]
    mask: Callable[[pa.RecordBatch | pa.Table], pa.Array]

    def __and__(self, other: "TableView") -> "TableView":
        columns = tuple(dict.fromkeys((*self.columns, *other.columns)))
        return TableView(columns, lambda rows: pc.and_(self.mask(rows), other.mask(rows)))


EVERY_ROW = TableView((), lambda rows: pa.repeat(True, rows.num_rows))


@dataclass(frozen=True)
class ForeignKey:
    """A column whose values are the key of another table.

    Attributes
    ----------
    column, table : str
        The column, and the name of the other table.
    every : bool
        Whether each row of the other table must be met.
    """

    column: str
    table: str
    every: bool = False


@dataclass(frozen=True, kw_only=True)
class Table(Suite):
    """All that is known of a table.

    Attributes
    ----------
    name, key, checks, find_failures, public
        As in `Suite`.
    row : str
        What a row is.
    columns : pyarrow.Schema
        Its columns; vectors are of type `VECTOR` and grids of type `GRID`, whatever their sizes.
    optional : tuple of str
        Columns that a file may lack.
    path : Path, optional
        Where its file stands; needed of tables that others refer to.
    foreign_keys : tuple of ForeignKey
        What refers to other tables.
    fits : callable, optional
        Takes the file and the parameters and returns what does not fit them, before a stage reads the table.
    """

    row: str
    columns: pa.Schema
    optional: tuple[str, ...] = ()
    path: Path | None = None
    foreign_keys: tuple[ForeignKey, ...] = ()
    fits: "Callable[[Path, Params], list[Failure]] | None" = None

    def schema(self, /, **sizes: Sizes) -> pa.Schema:
        """Return the schema.

        Parameters
        ----------
        **sizes
            By column, the numbers of a vector, 1 by default, or the cells of a grid and the numbers of each. An
            optional column is left out without a size.
        """
        wanted = [field for field in self.columns if field.name not in self.optional or field.name in sizes]
        return pa.schema([field.with_type(_sized(field.type, sizes.get(field.name, 1))) for field in wanted])

    def schema_like(self, found: pa.Schema) -> pa.Schema:
        """Return the schema that a file with these columns must have: vectors and grids take their sizes from it."""
        return self.schema(**{field.name: _sizes(field.type) for field in found})

    def wrong_columns(self, found: pa.Schema) -> list[Failure]:
        """Return a failure for each column that is missing, of another type or too many, or for the order of all."""
        schema = self.schema_like(found)
        wrong = [
            Failure(_described(field.type), field.name, _type_in(found, field.name))
            for field in schema
            if (index := found.get_field_index(field.name)) < 0 or not found.field(index).type.equals(field.type)
        ]
        extra = [name for name in found.names if name not in schema.names]
        wrong += [Failure("no such column", name, _type_in(found, name)) for name in extra]
        if not wrong and found.names != schema.names:
            wrong = [Failure(f"the columns {', '.join(schema.names)}", "order", ", ".join(found.names))]
        return wrong


def _sized(kind: pa.DataType, sizes: Sizes) -> pa.DataType:
    if not pa.types.is_fixed_size_list(kind):
        return kind
    outer, *inner = sizes if isinstance(sizes, tuple) else (sizes,)
    return pa.list_(_sized(kind.value_type, inner[0] if inner else 1), outer)


def _sizes(kind: pa.DataType) -> Sizes:
    if not pa.types.is_fixed_size_list(kind):
        return 1
    inner = kind.value_type
    return (kind.list_size, inner.list_size) if pa.types.is_fixed_size_list(inner) else kind.list_size


def _described(kind: pa.DataType) -> str:
    if pa.types.is_fixed_size_list(kind):
        return f"a column of lists, each of equally many values of type {kind.value_type}"
    return f"a column of type {kind}"


def _type_in(schema: pa.Schema, name: str) -> str:
    """Return a column's type; there may be several columns of a name."""
    kinds = [str(schema.field(index).type) for index in schema.get_all_field_indices(name)]
    return " and ".join(kinds) or "no such column"


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
