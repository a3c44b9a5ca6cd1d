"""A view: some rows of a table, chosen by its columns and read in a stream."""

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc


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
