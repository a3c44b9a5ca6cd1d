"""The gate: what must hold of a table, which is run over a Parquet file and raises when it does not."""

import logging
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from photocritic import tracking
from photocritic.core.errors import GateFailed
from photocritic.core.files import atomic_dir
from photocritic.validation import checks as expected
from photocritic.validation.checks import GRID_SUFFIX, NOT_UTF8, Check
from photocritic.validation.failures import SHOWN_ROWS, Failure, describe

if TYPE_CHECKING:
    import pandas as pd
    from great_expectations.core import ExpectationSuiteValidationResult

DATA_DOCS = Path("reports/data_docs")
MOST_FAILURES, MOST_ROWS = 8, 8  # that a message shows: of a process only the last 30 lines reach who runs it

logger = logging.getLogger(__name__)


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
        needed = [expected.filled(field.name) for field in schema if not field.nullable and field not in vectors]
        finite = [expected.finite(field.name, field.type) for field in vectors]
        unique = [expected.unique(self.key)] if self.key else []
        return [*needed, expected.utf8(), *unique, *finite, *self.checks]


def check(suite: Suite, schema: pa.Schema, path: Path, shown_as: Path, rows: int | None = None) -> None:
    """Run the checks of a table against a Parquet file.

    Parameters
    ----------
    suite : Suite
        What must hold for the table.
    schema : pyarrow.Schema
        The columns that it must have, and has.
    path : Path
        The file to check.
    shown_as : Path
        The file's name in messages (a table is checked before it stands in its place).
    rows : int, optional
        The number of rows that must be there.

    Raises
    ------
    GateFailed
        A check failed; the first line says which table, file and column, the rest is a table to read. A page is written
        for it.
    pyarrow.ArrowException, OSError
        The file is damaged.
    """
    from photocritic.validation.sampling import sample

    checks = suite.all_checks(schema)
    frame = sample(path, suite.key, checks)
    result = _validate(suite.name, frame, checks)
    found = pq.read_metadata(path).num_rows
    failures = _failures(result, checks, frame, suite, numbered=found == len(frame))
    if rows is not None and found != rows:
        failures.append(Failure(f"{rows} rows, as many as went in", "rows", str(found)))
    failures += suite.find_failures(path) if suite.find_failures else []
    tracking.log_gate(suite.name, shown_as, checks=len(result.results), failures=len(failures))
    if failures:
        _render(result, docs_page(shown_as).parent)
        refuse(suite.name, shown_as, failures, docs_page(shown_as))


def refuse(table: str, shown_as: Path, failures: list[Failure], docs: Path | None = None) -> None:
    """Raise for a table whose checks failed, and leave the reasons with the tracking store.

    Raises
    ------
    GateFailed
        Always.
    """
    columns = ", ".join(dict.fromkeys(failure.column for failure in failures))
    first = failures[0]
    lines = [
        f"gate of table '{table}' failed at {shown_as}: {columns}: expected {first.expectation}; found {first.observed}"
    ]
    shown_rows = max(1, MOST_ROWS // len(failures))
    for each in failures[:MOST_FAILURES]:
        lines.append(f"  {each.column}: expected {each.expectation}; found {each.observed}")
        lines.extend(f"    {row}" for row in each.rows[:shown_rows])
    if len(failures) > MOST_FAILURES:
        lines.append(f"  and {len(failures) - MOST_FAILURES} more checks failed")
    if docs is not None:
        lines.append(f"  see {docs}")
    message = "\n".join(lines)
    tracking.log_text(message, f"gates/{table}.txt")
    raise GateFailed(message)


def docs_page(path: Path) -> Path:
    """Return where the Data Docs page of a table stands whose gate has failed."""
    return DATA_DOCS / "-".join(path.with_suffix("").parts[-2:]) / "index.html"


def remove_docs(path: Path) -> None:
    """Remove the page of an earlier failure of a table that has been written anew, or that a stage has let pass."""
    shutil.rmtree(docs_page(path).parent, ignore_errors=True)


def _validate(name: str, frame: "pd.DataFrame", checks: Sequence[Check]) -> "ExpectationSuiteValidationResult":
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    logging.getLogger("great_expectations").setLevel(logging.WARNING)
    import great_expectations as gx

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False, "metric_calculations": False}
    expectations = [one.expectation(number) for number, one in enumerate(checks)]
    suite = context.suites.add(gx.ExpectationSuite(name=name, expectations=expectations))
    asset = context.data_sources.add_pandas("tables").add_dataframe_asset(name)
    batch = asset.add_batch_definition_whole_dataframe("all")
    definition = gx.ValidationDefinition(name=name, data=batch, suite=suite)
    result_format = {"result_format": "COMPLETE", "partial_unexpected_count": SHOWN_ROWS}
    return context.validation_definitions.add(definition).run(
        batch_parameters={"dataframe": frame}, result_format=result_format
    )


def _failures(
    result: "ExpectationSuiteValidationResult",
    checks: Sequence[Check],
    frame: "pd.DataFrame",
    suite: Suite,
    numbered: bool,
) -> list[Failure]:
    failed = [(item, checks[item.expectation_config.meta["check"]]) for item in result.results if not item.success]
    derived = {NOT_UTF8, *(one.arguments["column"] for one in checks if one.derive)}
    derived |= {name for name in frame.columns if name.endswith(GRID_SUFFIX)}
    public = {NOT_UTF8, *suite.public}
    return [describe(item, one, frame, public, derived, numbered) for item, one in failed]


def _render(result: "ExpectationSuiteValidationResult", site: Path) -> None:
    """Write the Data Docs page, which takes a second that only a failure is worth."""
    from photocritic.validation.docs_page import render

    with atomic_dir(site) as folder:
        (folder / "index.html").write_text(render(result), encoding="utf-8")
