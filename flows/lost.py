"""Runs whose worker or process is gone: Prefect's server finds them, and starts again those that nobody waits for."""

import flows.environment  # noqa: F401, I001 - before Prefect

from datetime import timedelta

from prefect.automations import AutomationCore, EventTrigger, Posture, ResourceSpecification
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import StateType
from prefect.events.actions import ChangeFlowRunState
from prefect.runtime import flow_run

from photocritic.errors import PhotocriticError

LOST = timedelta(seconds=120)  # without a heartbeat, of which a flow run gives one every 30 seconds (prefect.yaml)
SILENT = f"no sign of life for {LOST.seconds} seconds: its worker or its process is gone"
AGAIN = "its worker or its process was lost: started again, and what its stages have done is kept"
TIMES = 5  # that a run is lost before it is left alone
WHOLE = ["pipeline", "retrain", "sweep"]  # flows that nobody waits for
STAGES = ["stage", "gpu-stage"]  # each is tried again by the pipeline that it is part of

_EVENT = "prefect.flow-run."
_BEAT = f"{_EVENT}heartbeat"
_ENDS = {f"{_EVENT}{state}" for state in ("Completed", "Unchanged", "Failed", "Cancelled", "Crashed")}
_RUNS = ResourceSpecification({"prefect.resource.id": [f"{_EVENT}*"]})


def _of(role: str, **labels: str | list[str]) -> ResourceSpecification:
    """Match the events of runs to which something has a role."""
    labels["role"] = role
    return ResourceSpecification({f"prefect.resource.{key}": value for key, value in labels.items()})


AUTOMATIONS = (
    AutomationCore(
        name="photocritic: runs that have fallen silent are lost",
        description="Marks them as crashed, as Prefect's documentation has it for runs whose process is gone.",
        trigger=EventTrigger(
            after={_BEAT},
            expect={_BEAT, *_ENDS},
            match=_RUNS,
            match_related=_of("flow", name=WHOLE + STAGES),
            for_each={"prefect.resource.id"},
            posture=Posture.Proactive,
            threshold=1,
            within=LOST,
        ),
        actions=[ChangeFlowRunState(name="Crashed", state=StateType.CRASHED, message=SILENT, force=False)],
    ),
    AutomationCore(
        name="photocritic: pipelines that were lost are started again",
        description="A stage is left to the pipeline that it is part of, which tries it again.",
        trigger=EventTrigger(
            expect={f"{_EVENT}Crashed"},
            match=_RUNS,
            match_related=[_of("flow", name=WHOLE), _of("deployment")],  # not within another run: it has no worker
            for_each={"prefect.resource.id"},
            posture=Posture.Reactive,
            threshold=1,
        ),
        actions=[ChangeFlowRunState(name="AwaitingRetry", state=StateType.SCHEDULED, message=AGAIN, force=False)],
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
    lost = sum(state.is_crashed() for state in states)
    if lost >= TIMES:
        raise PhotocriticError(
            f"this run's worker or process was lost {lost} times: look at the worker's log and its machine's memory, "
            "then start a new run, which takes up what the stages have done"
        )
