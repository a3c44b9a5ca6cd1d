"""The pipeline by the clock: nothing where nothing has changed, else everything anew, and the better model stays."""

from typing import Any

from prefect import flow, get_run_logger
from prefect.artifacts import create_markdown_artifact
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows import artifacts, recovery
from flows.dispatch import cancel_stages
from flows.pipeline import Preset, part, wanted
from flows.promote import latest_verdict
from flows.workspace import RUNS, Workspace

BRANCH = f"{RUNS}retrain"  # what the last retraining has made


@flow(name="retrain", on_cancellation=[cancel_stages], persist_result=False)
def retrain(
    preset: Preset | None = None, corpus: str = "", changes: dict[str, Any] | None = None, revision: str = ""
) -> State[str]:
    """Run the pipeline where the corpus, the code or the parameters have changed since the last time.

    Whether the new model becomes the champion is for `promote` to say; the run shows how it went and why.

    Parameters
    ----------
    preset, corpus, changes, revision
        As of the flow `pipeline`.

    Returns
    -------
    State
        Unchanged, or Completed with what was decided.
    """
    recovery.check_restarts()
    workspace = Workspace.here()
    commit = workspace.fetch(revision)
    text = wanted(workspace, commit, preset.value if preset else "", corpus, changes or {})
    with workspace.at(commit, text):
        changed = workspace.changes_since(BRANCH)
    if not changed:
        return Completed(name="Unchanged", message="neither corpus nor code nor parameters have changed: nothing to do")
    get_run_logger().info("changed since the last time: %s", ", ".join(changed))
    part(preset=preset, corpus=corpus, changes=changes, revision=revision, branch=BRANCH)
    verdict = latest_verdict()
    create_markdown_artifact(
        verdict, key=artifacts.key("retrain", "decision"), description="Whether the champion changed"
    )
    return Completed(message=verdict)
