"""What a run's page in Prefect shows of a stage: its gates as a table, its metrics, and the way to its MLflow run."""

import re

from prefect.artifacts import create_link_artifact, create_markdown_artifact, create_table_artifact

from photocritic import tracking

SHOWN = 40  # metrics of a stage


def of_stage(name: str) -> None:
    """Show what the tracking store has of a stage's latest run; nothing where it never ran.

    Parameters
    ----------
    name : str
        The stage as DVC addresses it.
    """
    found = tracking.latest(name)
    if found is None:
        return
    told = f"MLflow run `{found.run_id}` of {name}: {found.status.lower()}"
    if found.address:
        create_link_artifact(found.address, link_text=told, key=key(name, "mlflow"), description=told)
    if found.gates:
        rows = [{"table": table, "gate": verdict} for table, verdict in sorted(found.gates.items())]
        create_table_artifact(rows, key=key(name, "gates"), description=f"Gates of {name}")
    if found.metrics:
        create_markdown_artifact(_metrics(name, found), key=key(name, "metrics"), description=f"Metrics of {name}")


def key(*parts: str) -> str:
    """Make an artifact's key, which has only a to z, 0 to 9 and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", "-".join(parts).lower()).strip("-")


def _metrics(name: str, found: tracking.Recorded) -> str:
    rows = [f"| {metric} | {value:.6g} |" for metric, value in sorted(found.metrics.items())[:SHOWN]]
    more = len(found.metrics) - len(rows)
    rest = f"\n{more} more stand in MLflow.\n" if more > 0 else ""
    return f"### {name}\n\n| metric | value |\n| --- | --: |\n" + "\n".join(rows) + "\n" + rest
