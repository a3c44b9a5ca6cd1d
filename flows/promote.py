"""Promotion as a step of the flow: the better model becomes the champion, whether its stages ran or were restored."""

import sys

from prefect import get_run_logger, task

from flows import process
from flows.workspace import Workspace
from photocritic import tracking
from photocritic.cli.pipeline_run import promote
from photocritic.core.environment import environment
from photocritic.core.errors import PhotocriticError


@task(task_run_name="promote", persist_result=False)
def promote_here() -> str:
    """Register what this folder holds, and make it the champion where it is better; return the verdict."""
    return promote()


def promote_in(workspace: Workspace) -> None:
    """Register what a worker's clone holds, by the code of its revision, and make it the champion where it is better.

    Parameters
    ----------
    workspace : Workspace
        The clone, at the revision that ran.

    Raises
    ------
    PhotocriticError
        It failed.
    """
    command = [sys.executable, "-m", "photocritic.cli", "promote"]
    log = get_run_logger()
    status, message = process.run(command, log.info, workspace.folder, environment(), workspace.locks)
    if status:
        raise PhotocriticError(f"promoting in {workspace.folder}: {message}")


def latest_verdict() -> str:
    """Return whether the last promotion changed the champion and why, as the tracking store has it."""
    found = tracking.latest("promote")
    return found.tags.get("champion.verdict", "") if found else "nothing was promoted"
