"""The pipeline over a grid of parameters, or random points of it, as DVC experiments that MLflow compares."""

import itertools
import random
from typing import Any

from prefect import flow
from prefect.artifacts import create_table_artifact
from prefect.runtime import flow_run

from flows import artifacts, recovery
from flows.dispatch import cancel_stages
from flows.pipeline import Preset, part
from flows.workspace import Workspace
from photocritic.core.errors import ParamsError


@flow(name="sweep", on_cancellation=[cancel_stages], persist_result=False)
def sweep(
    grid: dict[str, list[Any]],
    samples: int = 0,
    seed: int = 7,
    preset: Preset | None = None,
    corpus: str = "",
    revision: str = "",
) -> list[dict[str, Any]]:
    """Run the pipeline for each point of a grid; what two points have in common is run once.

    Parameters
    ----------
    grid : dict
        Values by parameter, such as {"lda.topics": [24, 50], "lstm_train.hidden": [192, 512]}.
    samples : int
        So many points drawn at random without repetition; 0: all of them.
    seed : int
        Of the drawing.
    preset, corpus, revision
        As of the flow `pipeline`.

    Returns
    -------
    list of dict
        For each point its DVC experiment, its parameters and the champion's metric by variant.
    """
    recovery.check_restarts()
    prefix, rows = str(flow_run.get_name()), []
    for number, point in enumerate(points(grid, samples, seed)):
        name = f"{prefix}-{number}"
        part(preset=preset, corpus=corpus, changes=point, revision=revision, experiment=name)
        rows.append({"experiment": name, **point, **Workspace.here().headline()})
        create_table_artifact(rows, key=artifacts.key("sweep", prefix), description="What each point has reached")
    return rows


def points(grid: dict[str, list[Any]], samples: int, seed: int) -> list[dict[str, Any]]:
    """Return the points of a grid, or some of them drawn at random, in the grid's order.

    Raises
    ------
    ParamsError
        The grid has no point.
    """
    every = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())] if grid else []
    if not every:
        raise ParamsError('grid: give values for at least one parameter, such as {"lda.topics": [24, 50]}')
    if not 0 < samples < len(every):
        return every
    return [every[place] for place in sorted(random.Random(seed).sample(range(len(every)), samples))]
