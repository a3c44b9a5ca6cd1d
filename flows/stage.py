"""One stage: as a task in the project's folder, or as a flow on a work pool, in a worker's own clone."""

import logging
import os
import platform
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from prefect import flow, get_run_logger, task
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitCreate
from prefect.client.schemas.objects import State, TaskRun
from prefect.concurrency.sync import concurrency
from prefect.exceptions import ObjectNotFound
from prefect.states import Completed, Failed

from flows import artifacts, process
from flows.workspace import Workspace
from photocritic import config, tracking
from photocritic.core.environment import REPRODUCTION, environment
from photocritic.core.errors import ParamsError, PhotocriticError
from photocritic.core.results import FOLDER, StageResult, read_result

_STAGE = re.compile(r"\w+(@\w[\w.-]*)?")  # as DVC addresses it

REFUSED = "Refused"  # the name of the state of a stage that another try would not help
LEASE = 60.0  # seconds after which the GPU slot of a stage that was killed is free again


class _WithoutTraceback(logging.Filter):
    """Log a user's mistake without a traceback: its message says what was wrong, where, and what to do."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], PhotocriticError):
            record.exc_info = None
        return True


for _logger in ("prefect.task_runs", "prefect.flow_runs"):
    logging.getLogger(_logger).addFilter(_WithoutTraceback())


class StageFailed(PhotocriticError):
    """A stage refused its input, or failed a gate; running it again would not help."""


class StageInterrupted(RuntimeError):
    """A stage's process was killed or could not get its lock; running it again resumes it."""


def worth_retrying(_task: Any, _run: TaskRun, state: State[Any]) -> bool:
    """Return whether a failed stage may succeed when it is run again (Prefect's `retry_condition_fn`)."""
    try:
        state.result()
    except PhotocriticError:  # bad input, a failed gate, parameters that cannot be
        return False
    except Exception:  # whatever else ended the task: a lost process, a lock, the network
        return True
    return False


Results = dict[str, StageResult | None]  # how the latest try of each stage ended


def results(folder: Path = Path()) -> Results:
    """Return how the latest try of each stage stands in a project's folder."""
    return {path.stem: read_result(path.stem, folder) for path in (folder / FOLDER).glob("*.json")}


def raise_for(name: str, status: int, message: str, before: Results, folder: Path = Path()) -> None:
    """Raise what has ended a stage, or nothing where DVC succeeded.

    Parameters
    ----------
    name : str
        The stage as DVC addresses it.
    status, message : int, str
        DVC's exit status, and its last lines.
    before : dict of str to StageResult
        What `results` gave before DVC was started: it may have run other stages first.
    folder : Path
        The project's root.

    Raises
    ------
    StageFailed
        A stage refused its input or failed a gate.
    StageInterrupted
        The stage's process was killed, or never started, as where another process holds DVC's lock.
    """
    if status == 0:
        return
    tried = {stage: one for stage, one in results(folder).items() if one is not None and one != before.get(stage)}
    for result in tried.values():
        if result.status == "refused":
            raise StageFailed(f"{result.stage} failed: {result.message}")
    raise StageInterrupted(f"{name} {'ended early' if name in tried else 'was not started'}:\n{message}")


@task(
    task_run_name="{name}",
    retries=3,
    retry_delay_seconds=[2, 10, 30],
    retry_condition_fn=worth_retrying,
    persist_result=False,
)
def reproduce(name: str, lock: int) -> str:
    """Bring one stage up to date in the project's own folder; what it needs must be up to date already.

    Parameters
    ----------
    name : str
        The stage as DVC addresses it.
    lock : int
        File descriptor of the folder's lock, which the stage's process holds as well.

    Returns
    -------
    str
        The stage's name.

    Raises
    ------
    StageFailed
        The stage refused its input or failed a gate.
    StageInterrupted
        The stage's process was killed, or DVC's lock was held for too long.
    """
    command = [sys.executable, *REPRODUCTION, "repro", "--single-item", name]
    before = results()
    raise_for(name, *process.run(command, _StageLog(name).read, Path(), environment(), [lock]), before)
    artifacts.show_stage(name)
    return name


@task(task_run_name="{name}", persist_result=False)
def unchanged(name: str) -> State[str]:
    """Complete at once: the task of a stage that is up to date."""
    return Completed(name="Unchanged", message=f"{name} is up to date")


@flow(name="stage", flow_run_name="{name}", persist_result=False)
def stage(name: str, revision: str, params: str, pipeline: str = "") -> State[str]:
    """Bring one stage up to date in the clone of the worker that runs this, and share what it has made.

    What the stage needs comes from the DVC remote, its code from git: DVC finds the outputs of the stages before it,
    and of this one if anybody has run it, in the cache of runs there.

    Parameters
    ----------
    name : str
        The stage as DVC addresses it.
    revision : str
        A commit that the clone's origin has.
    params : str
        What params.yaml holds.
    pipeline : str
        The pipeline's run, which MLflow records the stage under; empty: that of the revision and the parameters.

    Returns
    -------
    State
        Completed; Unchanged where there was nothing to run; Refused where the stage refused its input or failed a gate.

    Raises
    ------
    ParamsError
        There is no such stage, or the parameters are not possible.
    StageInterrupted
        Anything else ended it.
    """
    check(name, params)
    workspace = Workspace.here()
    lines = _StageLog(name, workspace.folder)
    os.environ[tracking.PIPELINE] = pipeline
    with workspace.at(revision, params):
        before = results(workspace.folder)
        try:
            raise_for(name, *workspace.dvc("repro", "--pull", name, on_line=lines.read), before, workspace.folder)
        except StageFailed as error:
            return Failed(name=REFUSED, message=str(error))
        workspace.share(name, on_line=lines.read)
        artifacts.show_stage(name)
        ran = read_result(name, workspace.folder) != before.get(name)
    return Completed() if ran else Completed(name="Unchanged", message=f"{name} has run before: nothing to do")


def check(name: str, text: str) -> None:
    """Check what a run was asked for before anything of it reaches DVC or a file.

    Raises
    ------
    ParamsError
        The name is no stage's, or params.yaml would not be what the project takes.
    """
    if not _STAGE.fullmatch(name):
        raise ParamsError(f"{name!r:.80} is no stage: say one of dvc.yaml, such as lda or lstm_train@cws")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "params.yaml"
        path.write_text(text, encoding="utf-8")
        config.load(path)


@flow(name="gpu-stage", flow_run_name="{name}", persist_result=False)
def gpu_stage(name: str, revision: str, params: str, pipeline: str = "") -> State[str]:
    """Run as `stage`, while no other stage has this machine's GPU."""
    slot = f"gpu-{platform.node()}"
    _create_slot(slot)
    with concurrency(slot, occupy=1, lease_duration=LEASE):
        return stage.fn(name, revision, params, pipeline)


class _StageLog:
    """Send what a stage's process prints to the run's log, and show the progress that stands in its result."""

    def __init__(self, name: str, folder: Path = Path()) -> None:
        self._name, self._folder = name, folder
        self._log = get_run_logger()
        self._progress = artifacts.Progress(name)

    def read(self, line: str) -> None:
        self._log.info("%s", line)
        self._progress.show(read_result(self._name, self._folder))


def _create_slot(slot: str) -> None:
    """Create this machine's GPU slot, a global concurrency limit, where it is missing."""
    with get_client(sync_client=True) as client:
        try:
            client.read_global_concurrency_limit_by_name(slot)
        except ObjectNotFound:
            client.create_global_concurrency_limit(GlobalConcurrencyLimitCreate(name=slot, limit=1))
