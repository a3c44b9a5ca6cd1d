"""Figures of one filter run, drawn from its plots."""

from typing import TYPE_CHECKING, Any

from photocritic.config import FilterParams
from photocritic.core.outcome import Outcome

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = dict[str, Any]


def filter_figures(outcome: Outcome, params: FilterParams) -> "dict[str, Figure]":
    """Draw the scores' distribution and the funnel of a filter run.

    Parameters
    ----------
    outcome : Outcome
        The run's plots, and its metrics, which have the threshold where a score decided.
    params : FilterParams
        Which score decided, and its upper cap.
    """
    threshold = outcome.metrics.get("threshold")
    return {
        "scores": score_figure(outcome.plots["scores"], params.scores, threshold, params.upper),
        "funnel": funnel_figure(outcome.plots["funnel"]),
    }


def score_figure(rows: list[Row], names: list[str], threshold: float | None, upper: float | None) -> "Figure":
    """Draw how many comments have each score, kept and rejected, and the share that each threshold would keep.

    Parameters
    ----------
    rows : list of dict
        `score`, `kept`, `rejected` and `share_above` (0 to 1), by score.
    names : list of str
        The names of the scores that decided.
    threshold, upper : float or None
        Where the score was cut.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 3.4), layout="constrained")
    axes = figure.subplots()
    scores, kept, rejected = ([row[name] for row in rows] for name in ("score", "kept", "rejected"))
    axes.bar(scores, kept, 1, align="edge", label="kept", color="tab:blue")
    axes.bar(scores, rejected, 1, kept, align="edge", label="rejected", color="lightgray")
    if threshold is not None:
        axes.axvline(threshold, color="tab:red", label=f"threshold {threshold:.4g}")
    if upper is not None:
        axes.axvline(upper, color="tab:red", linestyle="--", label=f"upper {upper:.4g}")
    last = max((row["score"] for row in rows if row["kept"] or row["rejected"]), default=1)
    label = f"{' x '.join(names)} (the last bar: {scores[-1]} and above)"
    axes.set(xlabel=label, ylabel="comments", xlim=(0, last + 1))
    share = axes.twinx()
    share.plot(scores, [row["share_above"] for row in rows], color="tab:green")
    share.set(ylabel="share that a threshold there keeps", ylim=(0, 1))
    share.grid(visible=False)  # the comments have theirs
    share.yaxis.label.set_color("tab:green")
    axes.legend(frameon=False)
    return figure


def funnel_figure(rows: list[Row]) -> "Figure":
    """Draw how many comments each filter has left.

    Parameters
    ----------
    rows : list of dict
        `filter`, `rejected` and `left`, in the order of the chain.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 0.6 + 0.32 * len(rows)), layout="constrained")
    axes = figure.subplots()
    names = [row["filter"] for row in rows]
    left = [row["left"] for row in rows]
    bars = axes.barh(range(len(rows)), left, color="tab:blue")
    axes.barh(range(len(rows)), [row["rejected"] for row in rows], left=left, color="lightgray")
    axes.bar_label(bars, [f"{count:,}" for count in left], padding=3, fontsize=8)
    axes.set_yticks(range(len(rows)), names)
    axes.set(xlabel="comments left (grey: rejected)", xlim=(0, 1.15 * max(1, rows[0]["left"])))
    axes.invert_yaxis()
    return figure
