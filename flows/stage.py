"""One stage as a Prefect task: reproduced by DVC in a process of its own, its log streamed line by line."""

import subprocess
import sys
from collections import deque
from typing import Any

from prefect import get_run_logger, task
from prefect.client.schemas.objects import State, TaskRun

from photocritic.errors import PhotocriticError
from photocritic.pipeline import FINAL, environment

# What DVC says when another of its processes holds a lock that this one needs: worth another try.
BUSY = ("is busy", "Unable to acquire lock")


class StageFailed(PhotocriticError):
    """A stage refused its input, or failed a gate; running it again would not help."""


class StageInterrupted(RuntimeError):
    """A stage's process was killed or could not get its lock; running it again resumes it."""


def worth_retrying(_task: Any, _run: TaskRun, state: State[Any]) -> bool:
    """Tell whether a failed stage may succeed when it is run again (Prefect's `retry_condition_fn`)."""
    try:
        state.result()
    except StageFailed:
        return False
    except Exception:  # whatever else ended the task: a lost process, a lock, the network
        return True
    return False


@task(
    task_run_name="{name}",
    retries=3,
    retry_delay_seconds=[2, 10, 30],
    retry_condition_fn=worth_retrying,
    persist_result=False,
)
def reproduce(name: str) -> str:
    """Bring one stage up to date; what it needs must be up to date already.

    Parameters
    ----------
    name : str
        The stage as DVC addresses it.

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
    logger = get_run_logger()
    command = [sys.executable, "-m", "dvc", "repro", "--single-item", name]
    tail: deque[str] = deque(maxlen=30)
    with subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            tail.append(line.rstrip())
            logger.info(line.rstrip())
    if process.returncode == 0:
        return name
    told = "\n".join(tail)
    if any(words in told for words in BUSY):
        raise StageInterrupted(f"{name}: another DVC process holds the lock")
    if f"exited with {FINAL}" in told:
        raise StageFailed(f"{name} failed:\n{told}")
    raise StageInterrupted(f"{name} ended early:\n{told}")
