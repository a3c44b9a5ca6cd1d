"""The whole pipeline as one flow, with the edges of dvc.yaml: here, or each stage on the work pool that it wants."""

import enum
import logging
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from prefect import flow, get_run_logger
from prefect.artifacts import create_markdown_artifact
from prefect.futures import PrefectFuture
from prefect.runtime import flow_run
from prefect.task_runners import ThreadPoolTaskRunner

from flows import artifacts, process, recovery
from flows.dispatch import cancel_stages, dispatch
from flows.dvc_api import Node, read_graph, restore, stale
from flows.promote import promote_here, promote_in
from flows.stage import reproduce, unchanged
from flows.workspace import RUNS, Workspace, checked_name
from photocritic.cli.pipeline_run import prepared_run
from photocritic.cli.pipeline_run import summary as summed_up
from photocritic.config import presets
from photocritic.core.errors import PhotocriticError
from photocritic.core.lock import alone

SIDE_BY_SIDE = 2  # stages that run at once here; each of them uses all cores where it can
AT_ONCE = 16  # stages that are waited for at once, on workers of whatever number

Preset = enum.Enum("Preset", {name: name for name in presets.names()})  # type: ignore[misc]


@flow(name="pipeline-here", task_runner=ThreadPoolTaskRunner(max_workers=SIDE_BY_SIDE), persist_result=False)  # type: ignore[arg-type]
def here(lock: int) -> str:
    """Bring every stage up to date in this folder, those that do not depend on each other side by side.

    Parameters
    ----------
    lock : int
        File descriptor of the folder's lock, which the stages' processes hold as well.

    Returns
    -------
    str
        The headline metrics and where the report is.
    """
    nodes = read_graph()
    changed = stale(nodes)

    def submit(node: Node, wait_for: list[PrefectFuture[Any]]) -> PrefectFuture[Any]:
        if node.name in changed:
            return reproduce.submit(node.name, lock, wait_for=wait_for, return_state=False)
        return unchanged.submit(node.name, wait_for=wait_for, return_state=False)

    _submit(nodes, submit)
    promote_here()
    return summed_up()


@flow(
    name="pipeline",
    task_runner=ThreadPoolTaskRunner(max_workers=AT_ONCE),  # type: ignore[arg-type]
    on_cancellation=[cancel_stages],
    persist_result=False,
)
def pipeline(
    preset: Preset | None = None,
    corpus: str = "",
    changes: dict[str, Any] | None = None,
    revision: str = "",
    branch: str = "",
    experiment: str = "",
) -> str:
    """Bring every stage up to date on the work pools; leave the result as a branch `runs/...` and on the DVC remote.

    Parameters
    ----------
    preset : Preset, optional
        Whose parameters to run with; by default params.yaml as it stands at the revision.
    corpus : str
        Folder or file of the corpus, which every worker reaches by the same path.
    changes : dict, optional
        Further changes of parameters, such as {"lda.topics": 50}.
    revision : str
        Branch, tag or commit of the code; empty: the origin's main branch.
    branch : str
        What the result is kept as, `runs/<name>`; empty: `runs/` and the run's name.
    experiment : str
        A DVC experiment that the result is kept as besides.

    Returns
    -------
    str
        The headline metrics, the branch, and where the report is.
    """
    recovery.check_restarts()
    branch = checked_name(branch or f"{RUNS}{flow_run.get_name()}", RUNS)
    if experiment:
        checked_name(experiment)
    workspace = Workspace.here()
    commit = workspace.fetch(revision)
    text = wanted(workspace, commit, preset.value if preset else "", corpus, changes or {})
    with workspace.at(commit, text):
        nodes = read_graph(workspace.folder)
        missing = restore(nodes, workspace.folder)

    def submit(node: Node, wait_for: list[PrefectFuture[Any]]) -> PrefectFuture[Any]:
        if node.name in missing:
            return dispatch.submit(node.name, node.pool, commit, text, wait_for=wait_for, return_state=False)
        return unchanged.submit(node.name, wait_for=wait_for, return_state=False)

    _submit(nodes, submit)
    return _finish(workspace, commit, text, branch, experiment)


part = pipeline.with_options(name="pipeline-part")  # within a retraining or a sweep, which stands for it


def wanted(workspace: Workspace, commit: str, preset: str, corpus: str, changes: dict[str, Any]) -> str:
    """Return the params.yaml that a run is to have.

    Raises
    ------
    PhotocriticError
        The parameters are not possible, or the corpus is not there.
    """
    with TemporaryDirectory() as folder:
        target = Path(folder) / "params.yaml"
        target.write_text(workspace.git("show", f"{commit}:params.yaml") + "\n", encoding="utf-8")
        known = Path(folder) / "presets"
        known.mkdir()
        for name in workspace.git("ls-tree", "--name-only", f"{commit}:presets").splitlines():
            (known / name).write_text(workspace.git("show", f"{commit}:presets/{name}") + "\n", encoding="utf-8")
        presets.apply(preset or None, corpus or None, target, changes, known)
        return target.read_text(encoding="utf-8")


def _submit(nodes: list[Node], submit: Callable[..., PrefectFuture[Any]]) -> None:
    """Start each stage when those before it are done, and wait for all."""
    futures: dict[str, PrefectFuture[Any]] = {}
    for node in nodes:
        futures[node.name] = submit(node, wait_for=[futures[need] for need in node.needs])
    for future in futures.values():
        future.result()


def _finish(workspace: Workspace, commit: str, params: str, branch: str, experiment: str) -> str:
    """Collect the outputs in this worker's clone, push them as a branch, promote, and return a summary."""
    logger = get_run_logger()
    with workspace.at(commit, params):
        status, message = workspace.dvc("repro", "--pull", on_line=logger.info)  # nothing runs: the workers have run it
        if status:
            raise PhotocriticError(f"the stages' outputs could not be put together:\n{message}")
        if experiment:
            workspace.keep_experiment(experiment)
        workspace.keep(branch, "Keep what a run of the pipeline has made")
        promote_in(workspace)
        summary = summed_up()
    text = (
        f"{summary}\n\nkept as branch {branch} where the workers' code is from: "
        "merge it there, then `dvc pull --remote exchange`"
    )
    create_markdown_artifact(
        f"```\n{text}\n```", key=artifacts.key("pipeline", "summary"), description="Headline metrics"
    )
    return text


def main() -> int:
    """Run the flow in this folder, as `make flow` does (flows/__main__.py); return the exit status."""
    for sort in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sort, _stop)
    logger = logging.getLogger("photocritic")
    try:
        with alone() as lock, prepared_run():
            sys.stdout.write(here(lock) + "\n")
    except PhotocriticError as error:
        logger.error("%s", error)
        return 1
    except KeyboardInterrupt:
        logger.error("stopped; run it again and it goes on where it was")
        return 130
    return 0


def _stop(_signal: int, _frame: FrameType | None) -> None:
    process.end_all()
    raise KeyboardInterrupt
