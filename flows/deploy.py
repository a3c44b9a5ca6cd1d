"""`make deploy`: the pools, the flows with their schedules, and what watches over runs, told to Prefect's server."""

import flows.environment  # noqa: F401, I001 - before Prefect

import os
import subprocess
import sys

from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.exceptions import ObjectAlreadyExists

from flows import lost
from flows.workspace import FOLDER

POOLS = ("cpu", "gpu")


def deploy() -> int:
    """Make the pools and the watch over lost runs, and deploy what prefect.yaml names; give the exit status."""
    with get_client(sync_client=True) as client:
        for pool in POOLS:
            try:
                client.create_work_pool(WorkPoolCreate(name=pool, type="process"))
            except ObjectAlreadyExists:
                continue
    lost.watch()
    own = {key: value for key, value in os.environ.items() if key != FOLDER}  # prefect.yaml leaves it to every worker
    command = [sys.executable, "-m", "prefect", "--no-prompt", "deploy", "--all"]
    return subprocess.run(command, env=own, check=False).returncode


if __name__ == "__main__":
    sys.exit(deploy())
