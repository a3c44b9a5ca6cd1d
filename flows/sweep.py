"""The pipeline over a grid of parameters, or random points of it, as DVC experiments that MLflow compares."""

import itertools
import random
from collections.abc import Sequence
from typing import Any

from prefect import flow
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.runtime import flow_run

from flows import artifacts, recovery
from flows.dispatch import cancel_stages
from flows.pipeline import Preset, part
from flows.workspace import Workspace
from photocritic.core.errors import ParamsError
from photocritic.evaluation.seeds import SeedRun, over_seeds
from photocritic.metrics.columns import headline
from photocritic.report.seed_tables import seeds_markdown


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
        For each point its DVC experiment, its parameters and CIDEr-D by variant. Where a whole grid has several seeds,
        an artifact has the means over seeds and the differences besides.
    """
    recovery.check_restarts()
    prefix, rows, numbers = str(flow_run.get_name()), [], []
    every = points(grid, samples, seed)
    for number, point in enumerate(every):
        name = f"{prefix}-{number}"
        part(preset=preset, corpus=corpus, changes=point, revision=revision, experiment=name)
        numbers.append(Workspace.here().numbers())
        shown = {key: value for key, value in numbers[-1].items() if key.endswith(".cider_d")}
        rows.append({"experiment": name, **point, **shown})
        create_table_artifact(rows, key=artifacts.key("sweep", prefix), description="What each point has reached")
    if not samples and len(set(grid.get("seed", []))) > 1:
        table = over_seeds(seed_runs(every, numbers), headline(), seed)
        create_markdown_artifact(
            seeds_markdown(table), key=artifacts.key("seeds", prefix), description="Means and differences over seeds"
        )
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


def seed_runs(points: Sequence[dict[str, Any]], numbers: Sequence[dict[str, float]]) -> list[SeedRun]:
    """Return the runs of a grid that has seeds.

    Parameters
    ----------
    points : sequence of dict
        The parameters of each run.
    numbers : sequence of dict of str to float
        Its metrics, `<variant>.<metric>` among them.
    """
    runs = []
    for point, found in zip(points, numbers, strict=True):
        by_variant: dict[str, dict[str, float]] = {}
        for key, value in found.items():
            variant, _, metric = key.partition(".")
            if metric and "." not in metric:
                by_variant.setdefault(variant, {})[metric] = value
        settings = ", ".join(f"{key}={value}" for key, value in point.items() if key != "seed")
        runs.append(SeedRun(int(point["seed"]), settings, by_variant))
    return runs
