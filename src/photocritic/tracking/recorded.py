"""The runs that the tracking store already has."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from photocritic.core.redaction import redacted
from photocritic.tracking.mlflow_store import EXPERIMENT, open_client, uri

if TYPE_CHECKING:
    from mlflow import MlflowClient


@dataclass(frozen=True)
class Recorded:
    """What the store has of a stage's latest run.

    Attributes
    ----------
    address : str
        Of its page, where the store is a server; else empty.
    run_id, status : str
        Its id, and how it ended.
    metrics : dict of str to float
        The last value of each.
    gates : dict of str to str
        Each table's verdict.
    tags : dict of str to str
        What else is known of it, such as `champion.verdict` of evaluate.
    pictures, pages : dict of str to str
        Addresses of its figures and HTML pages by their names; empty where the store is no server.
    """

    address: str
    run_id: str
    status: str
    metrics: dict[str, float]
    gates: dict[str, str]
    tags: dict[str, str]
    pictures: dict[str, str]
    pages: dict[str, str]


def latest(name: str) -> Recorded | None:
    """Find the latest run of a stage, such as `lstm_train@cws`; None where it never ran."""
    client = open_client()
    experiment = client.get_experiment_by_name(EXPERIMENT)
    wanted = f"attributes.run_name = '{name}'"
    runs = experiment and client.search_runs(
        [experiment.experiment_id], wanted, max_results=1, order_by=["attributes.start_time DESC"]
    )
    if not runs:
        return None
    info, tags = runs[0].info, runs[0].data.tags
    shown = redacted(uri())
    page = f"{shown}/#/experiments/{info.experiment_id}/runs/{info.run_id}" if shown.startswith("http") else ""
    gates = {key.removeprefix("gate."): value for key, value in tags.items() if key.startswith("gate.")}
    pictures, pages = (
        _addresses(client, info.run_id, *kind) if page else {} for kind in (("figures", ".png"), ("", ".html"))
    )
    metrics = dict(runs[0].data.metrics)
    return Recorded(page, info.run_id, info.status, metrics, gates, dict(tags), pictures, pages)


def _addresses(client: "MlflowClient", run_id: str, folder: str, ending: str) -> dict[str, str]:
    paths = [Path(found.path) for found in client.list_artifacts(run_id, folder)]
    return {
        path.stem: f"{redacted(uri())}/get-artifact?{urlencode({'path': path.as_posix(), 'run_uuid': run_id})}"
        for path in paths
        if path.suffix == ending
    }
