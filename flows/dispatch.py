"""Stages on work pools: started through Prefect's API, waited for, tried again where that can help, and cancelled."""

import os
from typing import Any
from uuid import UUID

from prefect import task
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterParentFlowRunId
from prefect.client.schemas.objects import FlowRun, State
from prefect.deployments import run_deployment
from prefect.flows import Flow
from prefect.runtime import flow_run
from prefect.states import Cancelled, Cancelling

from flows.stage import REFUSED, StageFailed, StageInterrupted, worth_retrying

# Seconds before a stage whose worker or process was lost is tried again.
RETRY_DELAYS = [float(seconds) for seconds in os.environ.get("PHOTOCRITIC_RETRY_DELAYS", "10 30 90").split()]
POLL_INTERVAL = 2.0  # seconds between two looks at a stage's run; a server that is away for some minutes is borne


@task(
    task_run_name="{name}",
    retries=3,
    retry_delay_seconds=RETRY_DELAYS,
    retry_condition_fn=worth_retrying,
    persist_result=False,
)
def dispatch(name: str, pool: str, revision: str, text: str) -> State[Any]:
    """Run a stage on a work pool, and wait for it.

    Parameters
    ----------
    name, pool : str
        The stage, and the pool that it wants.
    revision, text : str
        The commit, and params.yaml.

    Returns
    -------
    State
        That of the stage's run, which is completed.

    Raises
    ------
    StageFailed
        The stage refused its input or failed a gate, or somebody cancelled its run.
    StageInterrupted
        Its worker or its process was lost.
    """
    deployment = "gpu-stage/gpu" if pool == "gpu" else "stage/cpu"
    parameters = {"name": name, "revision": revision, "params": text, "pipeline": str(flow_run.name)}
    run: FlowRun = run_deployment(  # type: ignore[assignment]
        deployment, parameters=parameters, flow_run_name=name, timeout=None, poll_interval=POLL_INTERVAL
    )
    assert run.state is not None
    state = run.state
    if state.is_completed():
        return state
    message = f"{name}: {state.name}: {state.message or ''}"
    raise StageFailed(message) if state.is_cancelled() or state.name == REFUSED else StageInterrupted(message)


def cancel_stages(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:  # noqa: ARG001 - Prefect names them
    """Cancel what a cancelled flow run has started (Prefect's `on_cancellation`)."""
    with get_client(sync_client=True) as client:
        _cancel_below(client, flow_run.id)


def _cancel_below(client: SyncPrefectClient, run_id: UUID) -> None:
    below = FlowRunFilter(parent_flow_run_id=FlowRunFilterParentFlowRunId(any_=[run_id]))
    for run in client.read_flow_runs(flow_run_filter=below):
        if run.state is not None and not run.state.is_final():
            # A run of a deployment has a worker that ends its process; another was part of the process that has ended.
            client.set_flow_run_state(run.id, Cancelling() if run.deployment_id else Cancelled())
            _cancel_below(client, run.id)
