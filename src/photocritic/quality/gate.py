"""The gate: runs a table's suite over a Parquet file and raises when a check fails."""

import logging
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from photocritic import tracking
from photocritic.errors import GateFailed

if TYPE_CHECKING:
    import pandas as pd
    from great_expectations.core import ExpectationSuiteValidationResult

DATA_DOCS = Path("reports/data_docs")
SHOWN_ROWS = 5  # offending rows that a message shows at most

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Failure:
    """One check that failed.

    Attributes
    ----------
    expectation, column : str
        What was expected, of which column (or of the table).
    observed : str
        What was found instead.
    rows : tuple of str
        A few offending rows.
    """

    expectation: str
    column: str
    observed: str
    rows: tuple[str, ...] = ()


def check(table: str, path: Path, shown_as: Path, rows: int | None = None) -> None:
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

    Raises
    ------
    GateFailed
        A check failed; the first line says which table, file and column, the rest is a table to read.
    """
    from photocritic.quality.view import view

    frame, site = view(path), DATA_DOCS / "-".join(shown_as.with_suffix("").parts[-2:])
    result = _validate(table, frame)
    failures = [_failure(item, frame) for item in result.results if not item.success]
    found = pq.read_metadata(path).num_rows
    if rows is not None and found != rows:
        failures.append(Failure(f"{rows} rows, as many as went in", "rows", str(found)))
    tracking.log_gate(table, shown_as, checks=len(result.results), failures=len(failures))
    shutil.rmtree(site, ignore_errors=True)  # the page of an earlier failure
    if failures:
        _validate(table, frame, site)  # a page takes a second to render, which only a failure is worth
        _share_static(site)
        refuse(table, shown_as, failures, site / "index.html")


def refuse(table: str, shown_as: Path, failures: list[Failure], docs: Path | None = None) -> None:
    """Raise for a table whose checks failed, and leave the reasons with the tracking store.

    Raises
    ------
    GateFailed
        Always.
    """
    columns = ", ".join(sorted({failure.column for failure in failures}))
    lines = [f"gate of table '{table}' failed at {shown_as}: {columns}: {failures[0].observed}"]
    for failure in failures:
        lines.append(f"  {failure.column}: {failure.expectation}; found {failure.observed}")
        lines.extend(f"    {row}" for row in failure.rows)
    if docs is not None:
        lines.append(f"  see {docs}")
    message = "\n".join(lines)
    tracking.log_text(message, f"gates/{table}.txt")
    raise GateFailed(message)


def _validate(table: str, frame: "pd.DataFrame", site: Path | None = None) -> "ExpectationSuiteValidationResult":
    """Run the suite, and render its Data Docs page into `site` where one is given."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    logging.getLogger("great_expectations").setLevel(logging.WARNING)
    import great_expectations as gx

    from photocritic.quality.suites import SUITES

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False, "metric_calculations": False}
    suite = context.suites.add(gx.ExpectationSuite(name=table, expectations=SUITES[table]()))
    asset = context.data_sources.add_pandas("tables").add_dataframe_asset(table)
    batch = asset.add_batch_definition_whole_dataframe("all")
    if site is not None:
        context.add_data_docs_site(
            "local",
            {
                "class_name": "SiteBuilder",
                "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
                "store_backend": {"class_name": "TupleFilesystemStoreBackend", "base_directory": str(site.absolute())},
            },
        )
    definition = gx.ValidationDefinition(name=table, data=batch, suite=suite)
    checkpoint = gx.Checkpoint(
        name=table,
        validation_definitions=[context.validation_definitions.add(definition)],
        actions=[gx.checkpoint.UpdateDataDocsAction(name="docs")] if site is not None else [],
        result_format={"result_format": "COMPLETE", "partial_unexpected_count": SHOWN_ROWS},
    )
    run = context.checkpoints.add(checkpoint).run(batch_parameters={"dataframe": frame})
    return next(iter(run.run_results.values()))


def _share_static(site: Path) -> None:
    """Keep one copy of the pages' fonts and styles (4 MB) instead of one a table."""
    own, shared = site / "static", DATA_DOCS / "static"
    if own.is_symlink() or not own.is_dir():
        return
    if shared.exists():
        shutil.rmtree(own)
    else:
        own.rename(shared)
    own.symlink_to("../static")


def _failure(item: Any, frame: "pd.DataFrame") -> Failure:
    config = item.expectation_config
    arguments = {
        key: value
        for key, value in config.kwargs.items()
        if key not in {"batch_id", "column", "column_list", "result_format"} and value is not None
    }
    column = config.kwargs.get("column") or ", ".join(config.kwargs.get("column_list", [])) or "rows"
    told = ", ".join(f"{key}={value}" for key, value in arguments.items())
    expectation = f"{config.type}({told})" if told else config.type
    problem = _exception(item.exception_info)
    if problem:
        return Failure(expectation, column, problem)
    result = item.result
    if "unexpected_count" not in result:
        return Failure(expectation, column, str(result.get("observed_value")))
    places = list(result.get("unexpected_index_list") or [])[:SHOWN_ROWS]
    values = [str(value)[:80] for value in list(result.get("partial_unexpected_list") or [])[:SHOWN_ROWS]]
    observed = f"{result['unexpected_count']} of {len(frame)} rows, such as {', '.join(values) or 'null'}"
    return Failure(expectation, column, observed, tuple(_row(frame, place) for place in places))


def _exception(info: Any) -> str:
    """Give the message of a check that could not run; a missing column reports it under a metric's id."""
    if not info:
        return ""
    entries = [info] if "raised_exception" in info else list(info.values())
    messages = [str(entry.get("exception_message", "")) for entry in entries if entry.get("raised_exception")]
    return messages[0] if messages else ""


def _row(frame: "pd.DataFrame", place: Any) -> str:
    index = place if isinstance(place, int) else next(iter(place.values()), 0) if isinstance(place, dict) else 0
    row = frame.iloc[int(index)].to_dict()
    return "; ".join(f"{key}={str(value)[:60]}" for key, value in row.items())
