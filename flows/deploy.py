"""`make deploy`: create the work pools, the deployments with schedules, and the automations on Prefect's server."""

import argparse
import os
import subprocess
import sys

from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.exceptions import ObjectAlreadyExists

from flows import recovery
from flows.workspace import FOLDER

POOLS = ("cpu", "gpu")


def deploy(heartbeat_timeout: float = recovery.HEARTBEAT_TIMEOUT) -> int:
    """Create the pools, the automations and the deployments of prefect.yaml, or update them; return the exit status.

    Parameters
    ----------
    heartbeat_timeout : float
        Seconds without a heartbeat after which a run is lost.
    """
    with get_client(sync_client=True) as client:
        for pool in POOLS:
            try:
                client.create_work_pool(WorkPoolCreate(name=pool, type="process"))
            except ObjectAlreadyExists:
                continue
    recovery.create_automations(heartbeat_timeout)
    own = {key: value for key, value in os.environ.items() if key != FOLDER}  # prefect.yaml leaves it to every worker
    command = [sys.executable, "-m", "prefect", "--no-prompt", "deploy", "--all"]
    return subprocess.run(command, env=own, check=False).returncode


def main() -> int:
    """Read the command line and deploy; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m flows.deploy", description=__doc__)
    parser.add_argument(
        "--heartbeat-timeout",
        type=float,
        default=recovery.HEARTBEAT_TIMEOUT,
        help="seconds without a heartbeat after which a run is lost, more than 30 (default: %(default)g)",
    )
    return deploy(parser.parse_args().heartbeat_timeout)


if __name__ == "__main__":
    sys.exit(main())
