"""What a stage records on its run: numbers, parameters, datasets, tables and files, in the form that MLflow takes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from photocritic.core.outcome import Outcome
from photocritic.tracking import mlflow_store
from photocritic.tracking.datasets import described

if TYPE_CHECKING:
    from mlflow import MlflowClient

MAX_KEY = 250  # characters of a metric's or a parameter's name
MAX_PARAM = 500  # characters of a parameter's value that MLflow takes on every store


class Run:
    """A stage's run in the tracking store.

    Parameters
    ----------
    client : mlflow.MlflowClient
        The open client.
    run_id, parent_id : str
        The stage's run, and the pipeline's run above it.
    name : str
        The stage's, as in dvc.yaml.
    origin : mapping of str to str
        Tags that say what the pipeline's runs come from; a run below this one gets them too.
    """

    def __init__(
        self, client: "MlflowClient", run_id: str, parent_id: str, name: str, origin: Mapping[str, str] | None = None
    ) -> None:
        self._client = client
        self.run_id = run_id
        self.parent_id = parent_id
        self.name = name
        self.origin = dict(origin or {})

    def log_metrics(self, metrics: Mapping[str, float], step: int = 0) -> None:
        """Record numbers; a step is an epoch."""
        import time

        from mlflow.entities import Metric

        now = int(time.time() * 1000)
        rows = [Metric(_clean(key), float(value), now, step) for key, value in metrics.items()]
        self._client.log_batch(self.run_id, metrics=rows)

    def on_epoch(self, epoch: int, metrics: dict[str, float]) -> None:
        """Record an epoch's numbers; the callback that training takes."""
        self.log_metrics(metrics, step=epoch)

    def log_outcome(self, outcome: Outcome, headline: bool = False) -> None:
        """Record a stage's numbers and figures.

        Parameters
        ----------
        outcome : Outcome
            What the stage's library function returned.
        headline : bool
            Whether the numbers go to the parent too, where pipelines are compared.
        """
        self.log_metrics(outcome.metrics)
        if headline:
            self.log_headline(outcome.metrics)
        for name, figure in outcome.figures.items():
            self._client.log_figure(self.run_id, figure, f"figures/{name}.png")
        for folder, tables in (("plots", outcome.plots), ("tables", outcome.tables)):
            for name, rows in tables.items():
                self.log_table(rows, f"{folder}/{name}.json")

    def log_headline(self, metrics: Mapping[str, float]) -> None:
        """Record numbers on the pipeline's run, where pipelines are compared."""
        Run(self._client, self.parent_id, self.parent_id, self.name).log_metrics(metrics)

    def add_child(self, name: str, params: Mapping[str, Any], outcome: Outcome, tags: Mapping[str, str]) -> None:
        """Record parameters, numbers and tables as a run of its own below this one, finished at once.

        Its tables lie at the top of its artifacts, where the page that compares runs finds what they share.
        """
        experiment = self._client.get_run(self.run_id).info.experiment_id
        tags = {**self.origin, "mlflow.parentRunId": self.run_id, mlflow_store.PROCESS: mlflow_store.process(), **tags}
        made = self._client.create_run(experiment, run_name=name, tags=tags)
        child = Run(self._client, made.info.run_id, self.run_id, name)
        log_params(self._client, child.run_id, params)
        child.log_metrics(outcome.metrics)
        for table, rows in outcome.tables.items():
            child.log_table(rows, f"{table}.json")
        self._client.set_terminated(child.run_id, "FINISHED")

    def log_datasets(self, tables: Mapping[Path, str] | Sequence[Path], context: str) -> None:
        """Record tables that the stage reads as MLflow's datasets.

        Parameters
        ----------
        tables : mapping of Path to str, or sequence of Path
            Parquet files, with the digests of their contents where these are known.
        context : str
            What they are used for, such as `training`.
        """
        from pyarrow import ArrowException

        known = tables if isinstance(tables, Mapping) else {}
        inputs = []
        for path in tables:
            if path.suffix == ".parquet":
                with suppress(ArrowException, OSError, ValueError):  # a damaged file is reported by its gate
                    inputs.append(described(path, context, known.get(path, "")))
        if inputs:
            self._client.log_inputs(self.run_id, inputs)

    def log_table(self, rows: Sequence[Mapping[str, Any]], name: str) -> None:
        """Record rows as a table that MLflow's pages show; none where there are no rows."""
        if rows:
            columns = {key: [row.get(key) for row in rows] for key in rows[0]}
            self._client.log_table(self.run_id, columns, name)

    def log_artifact(self, path: Path) -> None:
        """Record a file, or a folder with what is in it."""
        if path.is_dir():
            self._client.log_artifacts(self.run_id, str(path), path.name)
        else:
            self._client.log_artifact(self.run_id, str(path))

    def log_text(self, text: str, name: str) -> None:
        """Record a text as an artifact."""
        self._client.log_text(self.run_id, text, name)

    def set_tag(self, key: str, value: str, headline: bool = False) -> None:
        """Record a tag; `headline`: on the pipeline's run too."""
        for run_id in (self.run_id, self.parent_id) if headline else (self.run_id,):
            self._client.set_tag(run_id, key, value)


class UnrecordedRun(Run):
    """A run that records nothing: for the other workers of a training, of which one records."""

    def __init__(self, name: str) -> None:
        super().__init__(_NullClient(), "", "", name)  # type: ignore[arg-type]


class _NullClient:
    """Accept every call of a client, and do nothing."""

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_args, **_options: None


def log_params(client: "MlflowClient", run_id: str, params: Mapping[str, Any]) -> None:
    """Record parameters on a run; those of a section under its name, a dot and their own."""
    from mlflow.entities import Param

    rows = [Param(_clean(key), value[:MAX_PARAM]) for key, value in _flat(params)]
    client.log_batch(run_id, params=rows)


def _flat(params: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in params.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", str(value)


def _clean(name: str) -> str:
    """Write a key as MLflow takes it: as the part of a path that stays where it is, and not too long."""
    kept = "".join(letter if letter.isalnum() or letter in "_-. " else "_" for letter in name)[:MAX_KEY]
    return f"_{kept.lstrip('.')}" if not kept.strip(".") or kept.startswith("..") else kept
