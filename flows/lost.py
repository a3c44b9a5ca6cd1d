"""Runs whose worker or process is gone: Prefect's server finds them, and starts again those that nobody waits for."""

import flows.environment  # noqa: F401, I001 - before Prefect

from datetime import timedelta

from prefect.automations import AutomationCore, EventTrigger, Posture, ResourceSpecification
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import StateType
from prefect.events.actions import ChangeFlowRunState
from prefect.runtime import flow_run

from photocritic.core.errors import PhotocriticError

LOST = timedelta(seconds=120)  # without a heartbeat, of which a flow run gives one every 30 seconds (prefect.yaml)
SETTLED = timedelta(seconds=30)  # after a crash: workers report one twice, some seconds apart
SILENT = f"no sign of life for {LOST.seconds} seconds: its worker or its process is gone"
AGAIN = "its worker or its process was lost: started again, and what its stages have done is kept"
TIMES = 5  # that a run is lost before it is left alone
WHOLE = ["pipeline", "retrain", "sweep"]  # flows that nobody waits for
PARTS = ["stage", "gpu-stage", "pipeline-part"]  # flows that one of those waits for, which tries a lost one again

_EVENT = "prefect.flow-run."
_BEAT = f"{_EVENT}heartbeat"
_CRASH = f"{_EVENT}Crashed"
_SIGNS = {_BEAT, _CRASH, *(f"{_EVENT}{state}" for state in ("Completed", "Unchanged", "Failed", "Cancelled"))}
_STARTS = {f"{_EVENT}{state}" for state in ("AwaitingRetry", "Pending", "Running")}


def _trigger(flows: list[str], after: str, expect: set[str], within: timedelta) -> EventTrigger:
    """Look for runs of some flows of which nothing that is expected was heard in time."""
    return EventTrigger(
        after={after},
        expect=expect,
        match=ResourceSpecification({"prefect.resource.id": f"{_EVENT}*"}),
        match_related=ResourceSpecification({"prefect.resource.role": "flow", "prefect.resource.name": flows}),
        for_each={"prefect.resource.id"},
        posture=Posture.Proactive,
        threshold=1,
        within=within,
    )


_again = ChangeFlowRunState(name="AwaitingRetry", state=StateType.SCHEDULED, message=AGAIN, force=False)

AUTOMATIONS = (
    AutomationCore(
        name="photocritic: runs that have fallen silent are lost",
        description="Marks parts of pipelines as crashed; what they are part of tries them again.",
        trigger=_trigger(PARTS, _BEAT, _SIGNS, LOST),
        actions=[ChangeFlowRunState(name="Crashed", state=StateType.CRASHED, message=SILENT, force=False)],
    ),
    AutomationCore(
        name="photocritic: pipelines that have fallen silent are started again",
        description="Schedules them again, without an end in between: after a restart the server hears of ends late.",
        trigger=_trigger(WHOLE, _BEAT, _SIGNS, LOST),
        actions=[_again],
    ),
    AutomationCore(
        name="photocritic: pipelines that have crashed are started again",
        description="Schedules those again whose process was killed below a worker that lives and says so.",
        trigger=_trigger(WHOLE, _CRASH, _STARTS, SETTLED),
        actions=[_again],
    ),
)


def watch() -> None:
    """Tell the server's automations of lost runs, or bring them up to date."""
    with get_client(sync_client=True) as client:
        for automation in AUTOMATIONS:
            known = client.read_automations_by_name(automation.name)
            if known:
                client.update_automation(known[0].id, automation)
            else:
                client.create_automation(automation)


def not_for_ever() -> None:
    """Refuse to go on in a flow run that was lost again and again, as where its machine runs out of memory.

    Raises
    ------
    PhotocriticError
        It was lost `TIMES` times.
    """
    with get_client(sync_client=True) as client:
        states = client.read_flow_run_states(flow_run.get_id())  # type: ignore[arg-type]
    lost = sum(state.message == AGAIN for state in states)
    if lost >= TIMES:
        raise PhotocriticError(
            f"this run's worker or process was lost {lost} times: look at the worker's log and its machine's memory, "
            "then start a new run, which takes up what the stages have done"
        )
