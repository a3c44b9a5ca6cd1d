"""`make deploy`: the pools, the flows with their schedules, and what watches over runs, told to Prefect's server."""

import flows.environment  # noqa: F401, I001 - before Prefect

import os
import subprocess
import sys
from datetime import timedelta

from prefect.automations import AutomationCore, EventTrigger, Posture, ResourceSpecification
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.client.schemas.objects import StateType
from prefect.events.actions import ChangeFlowRunState
from prefect.exceptions import ObjectAlreadyExists

from flows.workspace import FOLDER

POOLS = ("cpu", "gpu")
LOST = timedelta(seconds=120)  # without a heartbeat, of which a flow run gives one every 30 seconds (prefect.yaml)
SILENT = f"no sign of life for {LOST.seconds} seconds: its worker or its process is gone"
_HEARTBEAT = "prefect.flow-run.heartbeat"
_ENDS = {f"prefect.flow-run.{state}" for state in ("Completed", "Unchanged", "Failed", "Cancelled", "Crashed")}


def deploy() -> int:
    """Make the pools and the watch over lost runs, and deploy what prefect.yaml names; give the exit status."""
    with get_client(sync_client=True) as client:
        for pool in POOLS:
            try:
                client.create_work_pool(WorkPoolCreate(name=pool, type="process"))
            except ObjectAlreadyExists:
                continue
    _watch()
    own = {key: value for key, value in os.environ.items() if key != FOLDER}  # prefect.yaml leaves it to every worker
    command = [sys.executable, "-m", "prefect", "--no-prompt", "deploy", "--all"]
    return subprocess.run(command, env=own, check=False).returncode


def _watch() -> None:
    """Have the server tell a run that has fallen silent, as with its worker killed, from one that takes its time.

    An automation on the runs' heartbeats, as Prefect's documentation has it for runs whose process is gone.
    """
    watch = AutomationCore(
        name="photocritic: runs that have fallen silent are lost",
        description="Marks them as crashed; a stage that was lost so is tried again by its pipeline.",
        trigger=EventTrigger(
            after={_HEARTBEAT},
            expect={_HEARTBEAT, *_ENDS},
            match=ResourceSpecification({"prefect.resource.id": ["prefect.flow-run.*"]}),
            for_each={"prefect.resource.id"},
            posture=Posture.Proactive,
            threshold=1,
            within=LOST,
        ),
        actions=[ChangeFlowRunState(name="Crashed", state=StateType.CRASHED, message=SILENT, force=False)],
    )
    with get_client(sync_client=True) as client:
        known = client.read_automations_by_name(watch.name)
        if known:
            client.update_automation(known[0].id, watch)
        else:
            client.create_automation(watch)


if __name__ == "__main__":
    sys.exit(deploy())
