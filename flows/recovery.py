"""Runs whose worker or process is gone: Prefect's server finds them, and starts again those that nobody waits for."""

from datetime import timedelta

from prefect.automations import AutomationCore, EventTrigger, Posture, ResourceSpecification
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import StateType
from prefect.events.actions import ChangeFlowRunState
from prefect.runtime import flow_run

from photocritic.core.errors import PhotocriticError

HEARTBEAT_TIMEOUT = 120.0  # seconds without a heartbeat, of which a flow run sends one every 30 seconds (prefect.yaml)
CRASH_DELAY = timedelta(seconds=30)  # after a crash: workers report one twice, some seconds apart
RESTARTED = "its worker or its process was lost: started again, and what its stages have done is kept"
MAX_RESTARTS = 5  # of a run, before it is left alone
TOP_LEVEL = ["pipeline", "retrain", "sweep"]  # flows that nobody waits for
PARTS = ["stage", "gpu-stage", "pipeline-part"]  # flows that one of those waits for, which tries a lost one again

_EVENT = "prefect.flow-run."
_HEARTBEAT = f"{_EVENT}heartbeat"
_CRASHED = f"{_EVENT}Crashed"
_HEARTBEAT_OR_END = {
    _HEARTBEAT,
    _CRASHED,
    *(f"{_EVENT}{state}" for state in ("Completed", "Unchanged", "Failed", "Cancelled")),
}
_RESTARTS = {f"{_EVENT}{state}" for state in ("AwaitingRetry", "Pending", "Running")}


def _trigger(flows: list[str], after: str, expect: set[str], within: timedelta) -> EventTrigger:
    """Return a trigger that fires for runs of some flows where no expected event has followed in time."""
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


_restart = ChangeFlowRunState(name="AwaitingRetry", state=StateType.SCHEDULED, message=RESTARTED, force=False)


def automations(heartbeat_timeout: float = HEARTBEAT_TIMEOUT) -> list[AutomationCore]:
    """Return what the server watches runs by.

    Parameters
    ----------
    heartbeat_timeout : float
        Seconds without a heartbeat after which a run is lost.
    """
    silence = timedelta(seconds=heartbeat_timeout)
    message = f"no heartbeat for {heartbeat_timeout:g} seconds: its worker or its process is gone"
    crash = ChangeFlowRunState(name="Crashed", state=StateType.CRASHED, message=message, force=False)
    return [
        AutomationCore(
            name="photocritic: runs that have fallen silent are lost",
            description="Marks parts of pipelines as crashed; what they are part of tries them again.",
            trigger=_trigger(PARTS, _HEARTBEAT, _HEARTBEAT_OR_END, silence),
            actions=[crash],
        ),
        AutomationCore(
            name="photocritic: pipelines that have fallen silent are started again",
            description="Schedules them again without an end in between: a restarted server hears of ends late.",
            trigger=_trigger(TOP_LEVEL, _HEARTBEAT, _HEARTBEAT_OR_END, silence),
            actions=[_restart],
        ),
        AutomationCore(
            name="photocritic: pipelines that have crashed are started again",
            description="Schedules those again whose process was killed below a worker that lives and says so.",
            trigger=_trigger(TOP_LEVEL, _CRASHED, _RESTARTS, CRASH_DELAY),
            actions=[_restart],
        ),
    ]


def create_automations(heartbeat_timeout: float = HEARTBEAT_TIMEOUT) -> None:
    """Create the automations on Prefect's server, or update those that are there; parameters as in `automations`."""
    with get_client(sync_client=True) as client:
        for automation in automations(heartbeat_timeout):
            known = client.read_automations_by_name(automation.name)
            if known:
                client.update_automation(known[0].id, automation)
            else:
                client.create_automation(automation)


def check_restarts() -> None:
    """Raise in a flow run that was lost again and again, as where its machine runs out of memory.

    Raises
    ------
    PhotocriticError
        It was started again `MAX_RESTARTS` times.
    """
    with get_client(sync_client=True) as client:
        states = client.read_flow_run_states(flow_run.get_id())  # type: ignore[arg-type]
    restarts = sum(state.message == RESTARTED for state in states)
    if restarts >= MAX_RESTARTS:
        raise PhotocriticError(
            f"this run's worker or process was lost {restarts} times: look at the worker's log and its machine's "
            "memory, then start a new run, which takes up what the stages have done"
        )
