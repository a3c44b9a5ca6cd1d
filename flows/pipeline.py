"""The whole pipeline as one flow: a task a stage, with the edges of dvc.yaml."""

import logging
import os
import sys
from pathlib import Path

from photocritic.pipeline import OFFLINE

# Before Prefect is imported, which reads its settings then.
os.environ.update(OFFLINE)
os.environ.setdefault("PREFECT_HOME", str(Path(".prefect").absolute()))
os.environ.setdefault("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "180")  # a busy machine takes its time

from prefect import flow
from prefect.futures import PrefectFuture
from prefect.task_runners import ThreadPoolTaskRunner

from flows import graph
from flows.stage import reproduce
from photocritic import params
from photocritic import pipeline as whole
from photocritic.errors import PhotocriticError

SIDE_BY_SIDE = 2  # stages that run at once; each of them uses all cores where it can


@flow(name="pipeline", task_runner=ThreadPoolTaskRunner(max_workers=SIDE_BY_SIDE))  # type: ignore[arg-type]
def pipeline() -> str:
    """Bring every stage up to date, those that do not depend on each other side by side.

    Returns
    -------
    str
        The headline metrics and where the report is.
    """
    params.load()
    futures: dict[str, PrefectFuture[str]] = {}
    for node in graph.read():
        futures[node.name] = reproduce.submit(
            node.name, wait_for=[futures[need] for need in node.needs], return_state=False
        )
    for future in futures.values():
        future.result()
    return whole.summary()


def main() -> int:
    """Run the flow here, without a server; give the exit status."""
    try:
        sys.stdout.write(pipeline() + "\n")
    except PhotocriticError as error:
        logging.getLogger("photocritic").error("%s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
