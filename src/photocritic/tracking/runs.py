"""MLflow: one run a stage under one parent a pipeline; nothing else talks to MLflow."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from photocritic.core.errors import PhotocriticError
from photocritic.core.files import sha256
from photocritic.core.outcome import Outcome
from photocritic.tracking import store
from photocritic.tracking.datasets import described
from photocritic.tracking.provenance import commit, input_digests, revision_tags

if TYPE_CHECKING:
    from mlflow import MlflowClient

PIPELINE = "PHOTOCRITIC_PIPELINE"  # names the flow run that a stage is part of, where it runs on a worker
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
        Tags that tell what the pipeline's runs come from; a run below this one gets them too.
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
        """Record a stage's numbers and pictures.

        Parameters
        ----------
        outcome : Outcome
            What the stage's library function gave back.
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
        tags = {**self.origin, "mlflow.parentRunId": self.run_id, store.PROCESS: store.process(), **tags}
        made = self._client.create_run(experiment, run_name=name, tags=tags)
        child = Run(self._client, made.info.run_id, self.run_id, name)
        _log_params(self._client, child.run_id, params)
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
                with suppress(ArrowException, OSError, ValueError):  # a damaged file is for its gate to tell of
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
    """A run that leaves no trace: that of a worker beside the one that records."""

    def __init__(self, name: str) -> None:
        super().__init__(_Deaf(), "", "", name)  # type: ignore[arg-type]


class _Deaf:
    """Takes every call that a client takes, and does nothing."""

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_args, **_options: None


_current: ContextVar[Run | None] = ContextVar("photocritic_run", default=None)


@contextmanager
def stage_run(
    name: str,
    params: Mapping[str, Any],
    inputs: Sequence[Path],
    tags: Mapping[str, str] | None = None,
    context: str = "training",
) -> Iterator[Run]:
    """Record a stage from its start to its end.

    Parameters
    ----------
    name : str
        The stage's name as in dvc.yaml, such as `lda` or `lstm_train@cws`.
    params : mapping
        The parameters the stage reads, possibly nested.
    inputs : sequence of Path
        Files and folders whose hashes are recorded as tags (`input_digests`); Parquet files among them as datasets too.
    tags : mapping of str to str, optional
        What the pipeline is about, such as its corpus; of this run, of those below it, and of the pipeline's.
    context : str
        What the tables are used for: training or evaluation.

    Yields
    ------
    Run
        The open run; it ends FINISHED, or FAILED with the error's text as a tag.
    """
    client = store.open_client()
    origin = {key: value for key, value in {**revision_tags(), **(tags or {})}.items() if value}
    parent = _parent(origin)
    stage, _, variant = name.partition("@")
    digests = input_digests(inputs)
    run = client.create_run(
        client.get_run(parent).info.experiment_id,
        run_name=name,
        tags={
            **origin,
            "mlflow.parentRunId": parent,
            store.PROCESS: store.process(),
            "stage": stage,
            **({"variant": variant} if variant else {}),
            **{_input_tag(path): digest for path, digest in digests.items()},
        },
    )
    current = Run(client, run.info.run_id, parent, name, origin)
    current.log_datasets(digests, context)
    _log_params(client, current.run_id, params)
    token = _current.set(current)
    try:
        yield current
    except BaseException as error:
        current.set_tag("error", str(error) or type(error).__name__)
        client.set_terminated(current.run_id, "FAILED")
        client.set_terminated(parent, "FAILED")
        raise
    else:
        client.set_terminated(current.run_id, "FINISHED")
        client.set_terminated(parent, "FINISHED")
    finally:
        _current.reset(token)


def log_gate(table: str, path: Path, checks: int, failures: int) -> None:
    """Record a gate's result on the stage's run, where one is open."""
    run = _current.get()
    if run is not None:
        verdict = "passed" if not failures else f"failed {failures} of {checks}"
        run.set_tag(f"gate.{table}.{path.stem}", f"{verdict} ({checks} checks)" if not failures else verdict)


def log_text(text: str, name: str) -> None:
    """Record a text on the stage's run, where one is open."""
    run = _current.get()
    if run is not None:
        run.log_text(text, name)


def _parent(tags: Mapping[str, str]) -> str:
    """Find or start the pipeline's run: one for each state of the code and params.yaml, or each run of a flow on pools.

    Stages are processes that DVC starts one by one, possibly in several tries; what they share is the commit and the
    parameters, so that is what makes them one pipeline.
    """
    from filelock import FileLock

    params = Path("params.yaml")
    key = f"{commit()[:12]}-{sha256(params)[:12] if params.exists() else 'none'}"
    if of_flow := os.environ.get(PIPELINE):
        key = f"{of_flow}-{key}"
    with FileLock(store.STORE / ".lock"):
        client = store.open_client()
        experiment_id = store.experiment(client)
        store.end_killed(client, experiment_id)
        found = client.search_runs([experiment_id], f"tags.pipeline = '{key}'", max_results=1)
        if found:
            for tag, value in tags.items():
                client.set_tag(found[0].info.run_id, tag, value)
            return str(found[0].info.run_id)
        run = client.create_run(
            experiment_id, run_name=f"pipeline-{key}", tags={**tags, "pipeline": key, store.PROCESS: store.process()}
        )
        if params.exists():
            from ruamel.yaml import YAML

            _log_params(client, run.info.run_id, YAML(typ="safe").load(params) or {})
            client.log_artifact(run.info.run_id, str(params))
        return str(run.info.run_id)


def _log_params(client: "MlflowClient", run_id: str, params: Mapping[str, Any]) -> None:
    from mlflow.entities import Param

    rows = [Param(_clean(key), value[:MAX_PARAM]) for key, value in _flat(params)]
    client.log_batch(run_id, params=rows)


def _flat(params: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in params.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", str(value)


def _input_tag(path: Path) -> str:
    """Name the tag with a path's digest, in the characters that MLflow takes."""
    return re.sub(r"[^/\w.\- :]", "_", f"input.{os.path.normpath(path)}")[:MAX_KEY]


def _clean(name: str) -> str:
    """Write a key as MLflow takes it: as the part of a path that stays where it is, and not too long."""
    kept = "".join(letter if letter.isalnum() or letter in "_-. " else "_" for letter in name)[:MAX_KEY]
    return f"_{kept.lstrip('.')}" if not kept.strip(".") or kept.startswith("..") else kept


def require_open() -> Run:
    """Give the stage's open run.

    Raises
    ------
    PhotocriticError
        No run is open.
    """
    run = _current.get()
    if run is None:
        raise PhotocriticError("no stage is running here; open one with tracking.stage_run")
    return run
