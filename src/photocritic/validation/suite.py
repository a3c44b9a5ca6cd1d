"""What a gate checks of one table: what every table must have, and the table's own checks."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from photocritic.validation import checks
from photocritic.validation.checks import Check
from photocritic.validation.failures import Failure


@dataclass(frozen=True, kw_only=True)
class Suite:
    """What must hold within a table.

    Attributes
    ----------
    name : str
        The table's name.
    key : tuple of str
        The columns that identify a row; empty where rows may be alike.
    checks : tuple of Check
        What must hold besides what the key and the schema say.
    find_failures : callable, optional
        Takes the file and returns what no expectation can find, such as what only a look at all rows shows.
    public : tuple of str
        Columns whose texts messages may show. What people have written or are called is in the others: messages reach
        logs, MLflow and Prefect, so that these stand on the local Data Docs page alone.
    """

    name: str
    key: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    find_failures: Callable[[Path], list[Failure]] | None = None
    public: tuple[str, ...] = ()

    def all_checks(self, schema: pa.Schema) -> list[Check]:
        """Return every check of a table with this schema, in the order in which they are made."""
        vectors = [field for field in schema if pa.types.is_fixed_size_list(field.type)]
        needed = [checks.filled(field.name) for field in schema if not field.nullable and field not in vectors]
        finite = [checks.finite(field.name, field.type) for field in vectors]
        unique = [checks.unique(self.key)] if self.key else []
        return [*needed, checks.utf8(), *unique, *finite, *self.checks]
