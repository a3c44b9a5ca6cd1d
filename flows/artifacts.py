"""What a run's page in Prefect shows of a stage: progress, gates, metrics, pictures, and the way to its MLflow run."""

import re
from contextlib import suppress
from uuid import UUID

import httpx
from prefect.artifacts import (
    create_image_artifact,
    create_link_artifact,
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)

from photocritic import tracking
from photocritic.core.results import StageResult

SHOWN = 40  # metrics of a stage


class Progress:
    """The progress of a stage's training, as its result has it.

    Parameters
    ----------
    name : str
        The stage as DVC addresses it.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._shown: UUID | None = None
        self._epoch = 0

    def show(self, result: StageResult | None) -> None:
        """Show an epoch that has ended; a server that is away ends no training."""
        if result is None or not result.epochs or result.epoch == self._epoch:
            return
        self._epoch = result.epoch
        with suppress(httpx.HTTPError):
            self._show(100 * result.epoch / result.epochs)

    def _show(self, done: float) -> None:
        if self._shown is None:
            made = create_progress_artifact(
                done, key=key(self._name, "progress"), description=f"Epochs of {self._name}"
            )
            self._shown = made  # type: ignore[assignment]  # an id where nothing else runs
        else:
            update_progress_artifact(self._shown, done)


def show_stage(name: str) -> None:
    """Show what the tracking store has of a stage's latest run; nothing where it never ran.

    Parameters
    ----------
    name : str
        The stage as DVC addresses it.
    """
    found = tracking.latest(name)
    if found is None:
        return
    description = f"MLflow run `{found.run_id}` of {name}: {found.status.lower()}"
    if found.address:
        create_link_artifact(found.address, link_text=description, key=key(name, "mlflow"), description=description)
    for page, address in found.pages.items():
        create_link_artifact(address, link_text=page, key=key(name, page), description=f"The {page} of {name}")
    for picture, address in found.pictures.items():
        create_image_artifact(address, key=key(name, picture), description=f"{name}: {picture}")
    if found.gates:
        rows = [{"table": table, "gate": verdict} for table, verdict in sorted(found.gates.items())]
        create_table_artifact(rows, key=key(name, "gates"), description=f"Gates of {name}")
    if found.metrics:
        create_markdown_artifact(_metrics(name, found), key=key(name, "metrics"), description=f"Metrics of {name}")


def key(*parts: str) -> str:
    """Return an artifact's key, which has only a to z, 0 to 9 and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", "-".join(parts).lower()).strip("-")


def _metrics(name: str, found: tracking.Recorded) -> str:
    rows = [f"| {metric} | {value:.6g} |" for metric, value in sorted(found.metrics.items())[:SHOWN]]
    more = len(found.metrics) - len(rows)
    rest = f"\n{more} more stand in MLflow.\n" if more > 0 else ""
    return f"### {name}\n\n| metric | value |\n| --- | --: |\n" + "\n".join(rows) + "\n" + rest
