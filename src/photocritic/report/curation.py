"""The filter's funnel and its scores as pictures of the report, from what the filter stage left."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from photocritic.config import FilterParams
from photocritic.filtering.figures import funnel_figure, score_figure
from photocritic.report import figures
from photocritic.report.blocks import Picture
from photocritic.report.context import read_json

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STAGE = "filter"


def pictures(stage_plots: Path | None, stage_metrics: Path | None, params: FilterParams) -> list[Picture]:
    """Draw what each filter has left, and the distribution of the scores.

    Parameters
    ----------
    stage_plots, stage_metrics : Path, optional
        Folders of the stages' plots and metrics.
    params : FilterParams
        Which score decided, and its upper cap.

    Returns
    -------
    list of Picture
        The funnel, and the scores where a score decided; what the filter stage did not leave is left out.

    Raises
    ------
    PhotocriticError
        A file is damaged.
    """
    if stage_plots is None:
        return []
    drawn = []
    if funnel := read_json(stage_plots / _STAGE / "funnel.json"):
        note = "Comments that are left after each filter of the chain, in order; grey: rejected there."
        drawn.append(_picture(lambda: funnel_figure(funnel), note))
    metrics = (read_json(stage_metrics / f"{_STAGE}.json") if stage_metrics is not None else None) or {}
    scores = read_json(stage_plots / _STAGE / "scores.json")
    if scores and "threshold" in metrics:
        note = "All comments by score; the green line is the share that a threshold there would keep."
        drawn.append(_picture(lambda: score_figure(scores, params.score, metrics["threshold"], params.upper), note))
    return drawn


def _picture(draw: "Callable[[], Figure]", note: str) -> Picture:
    with figures.look():
        return Picture(figures.svg(draw()), note)
