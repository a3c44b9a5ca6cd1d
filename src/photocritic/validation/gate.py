"""The gate: runs a table's suite over a Parquet file and raises when a check fails."""

import logging
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from photocritic import tracking
from photocritic.core.errors import GateFailed
from photocritic.core.files import atomic_dir
from photocritic.validation.failure import SHOWN_ROWS, Failure, failure

if TYPE_CHECKING:
    import pandas as pd
    from great_expectations.core import ExpectationSuiteValidationResult

DATA_DOCS = Path("reports/data_docs")
MOST_FAILURES, MOST_ROWS = 8, 8  # that a message shows: of a process only the last 30 lines reach who runs it

logger = logging.getLogger(__name__)


def check(table: str, path: Path, shown_as: Path, rows: int | None = None, whole: Sequence[str] = ()) -> None:
    """Run the suite of a table against a Parquet file.

    Parameters
    ----------
    table : str
        The table's name, which chooses the suite.
    path : Path
        The file to check.
    shown_as : Path
        The file's name in messages (a table is checked before it stands in its place).
    rows : int, optional
        The number of rows that must be there.
    whole : sequence of str
        The columns that must have a value in every row.

    Raises
    ------
    GateFailed
        A check failed; the first line says which table, file and column, the rest is a table to read.
    pyarrow.ArrowException, OSError
        The file is damaged.
    """
    from photocritic.validation.suites import KEYS, suite
    from photocritic.validation.view import view

    frame, site = (
        view(path, KEYS.get(table, ()), suite(table, whole)),
        DATA_DOCS / "-".join(shown_as.with_suffix("").parts[-2:]),
    )
    result = _validate(table, frame, whole)
    found = pq.read_metadata(path).num_rows
    failures = [failure(item, frame, found == len(frame)) for item in result.results if not item.success]
    if rows is not None and found != rows:
        failures.append(Failure(f"{rows} rows, as many as went in", "rows", str(found)))
    if table == "images":
        failures += _leaks(path)
    tracking.log_gate(table, shown_as, checks=len(result.results), failures=len(failures))
    shutil.rmtree(site, ignore_errors=True)  # the page of an earlier failure
    if failures:
        _render(result, site)
        refuse(table, shown_as, failures, site / "index.html")


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


def _leaks(path: Path) -> list[Failure]:
    from photocritic.validation.leaks import leaks

    count, told = leaks(path, SHOWN_ROWS)
    return [Failure("each picture in one split alone", "split", f"{count} in two", tuple(told))] if count else []


def _validate(table: str, frame: "pd.DataFrame", whole: Sequence[str]) -> "ExpectationSuiteValidationResult":
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    logging.getLogger("great_expectations").setLevel(logging.WARNING)
    import great_expectations as gx

    from photocritic.validation.suites import suite as expected

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False, "metric_calculations": False}
    suite = context.suites.add(gx.ExpectationSuite(name=table, expectations=expected(table, whole)))
    asset = context.data_sources.add_pandas("tables").add_dataframe_asset(table)
    batch = asset.add_batch_definition_whole_dataframe("all")
    definition = gx.ValidationDefinition(name=table, data=batch, suite=suite)
    result_format = {"result_format": "COMPLETE", "partial_unexpected_count": SHOWN_ROWS}
    return context.validation_definitions.add(definition).run(
        batch_parameters={"dataframe": frame}, result_format=result_format
    )


def _render(result: "ExpectationSuiteValidationResult", site: Path) -> None:
    """Leave the Data Docs page, which takes a second that only a failure is worth."""
    from photocritic.validation.docs_page import render

    with atomic_dir(site) as folder:
        (folder / "index.html").write_text(render(result), encoding="utf-8")
