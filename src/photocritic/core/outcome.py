"""What a stage's library function returns besides the tables it wrote."""

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # how a formula begins, or what may precede one

_NUMBER = re.compile(r"[+-]?[\d.]+%?")


@dataclass
class Outcome:
    """Numbers, tables and figures of one stage, for DVC, MLflow and the report.

    Attributes
    ----------
    metrics : dict of str to float
        Final numbers by name (lower case, underscores).
    plots : dict of str to list of dict
        Data for `dvc plots`: the rows of each plot by the plot's name.
    figures : dict of str to matplotlib Figure
        Figures for MLflow by file stem.
    tables : dict of str to list of dict
        Rows of tables to read, by the table's name.
    """

    metrics: dict[str, float] = field(default_factory=dict)
    plots: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    figures: dict[str, "Figure"] = field(default_factory=dict)
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def __add__(self, other: "Outcome") -> "Outcome":
        """Return the results of two parts of a stage together."""
        return Outcome(
            self.metrics | other.metrics,
            self.plots | other.plots,
            self.figures | other.figures,
            self.tables | other.tables,
        )

    def write_tables(self, folder: Path) -> None:
        """Write each of the tables to read as a CSV file into a folder that exists."""
        for name, rows in self.tables.items():
            with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as stream:
                if rows:
                    writer = csv.DictWriter(stream, list(rows[0]))
                    writer.writeheader()
                    writer.writerows({name: _plain(value) for name, value in row.items()} for row in rows)


def _plain(value: Any) -> Any:
    """Return a value with a quote before it where a spreadsheet would read a formula, which might run a command."""
    if not isinstance(value, str) or not value.startswith(_FORMULA) or _NUMBER.fullmatch(value):
        return value
    return f"'{value}"
