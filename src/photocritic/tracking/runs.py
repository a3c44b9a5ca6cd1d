"""The runs of MLflow: one a stage, under one parent a pipeline."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from photocritic.core.files import sha256
from photocritic.tracking import mlflow_store
from photocritic.tracking.provenance import commit, input_digests, revision_tags
from photocritic.tracking.run_records import MAX_KEY, Run, log_params

PIPELINE = "PHOTOCRITIC_PIPELINE"  # names the flow run that a stage is part of, where it runs on a worker

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
    client = mlflow_store.open_client()
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
            mlflow_store.PROCESS: mlflow_store.process(),
            "stage": stage,
            **({"variant": variant} if variant else {}),
            **{_input_tag(path): digest for path, digest in digests.items()},
        },
    )
    current = Run(client, run.info.run_id, parent, name, origin)
    current.log_datasets(digests, context)
    log_params(client, current.run_id, params)
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
    with FileLock(mlflow_store.STORE / ".lock"):
        client = mlflow_store.open_client()
        experiment_id = mlflow_store.experiment(client)
        mlflow_store.end_killed(client, experiment_id)
        found = client.search_runs([experiment_id], f"tags.pipeline = '{key}'", max_results=1)
        if found:
            for tag, value in tags.items():
                client.set_tag(found[0].info.run_id, tag, value)
            return str(found[0].info.run_id)
        tags = {**tags, "pipeline": key, mlflow_store.PROCESS: mlflow_store.process()}
        run = client.create_run(experiment_id, run_name=f"pipeline-{key}", tags=tags)
        if params.exists():
            from ruamel.yaml import YAML

            log_params(client, run.info.run_id, YAML(typ="safe").load(params) or {})
            client.log_artifact(run.info.run_id, str(params))
        return str(run.info.run_id)


def _input_tag(path: Path) -> str:
    """Name the tag with a path's digest, in the characters that MLflow takes."""
    return re.sub(r"[^/\w.\- :]", "_", f"input.{os.path.normpath(path)}")[:MAX_KEY]
