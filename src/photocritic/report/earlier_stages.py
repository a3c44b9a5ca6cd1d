"""What the stages before evaluation found, as sections of the report; each shows where its files are there."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from photocritic import tables
from photocritic.config import FilterParams
from photocritic.core.declaration import require_declared
from photocritic.core.errors import PhotocriticError
from photocritic.evaluation.predictions import Training
from photocritic.filtering.funnel_figures import funnel_figure, score_figure
from photocritic.report import figures
from photocritic.report.blocks import Cell, Picture, Row, Section, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UPSTREAM = ("ingest", "filter", "associate", "lda")  # stages that run once
_EXAMPLES, _EXAMPLE_LENGTH = 10, 90
_SHARES = 6  # of a near miss's score that are shown


@dataclass
class Outcomes:
    """How the comments fared in the filter.

    Attributes
    ----------
    counts : Counter of str
        Comments by outcome: `kept`, `kept, styled`, or the reason that rejected them.
    examples : dict of str to list of str
        The first few different texts of each outcome.
    """

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)

    @property
    def kept(self) -> int:
        """Comments of any kind that were kept."""
        return sum(count for outcome, count in self.counts.items() if outcome.startswith("kept"))


def outcomes(captions: Path) -> Outcomes:
    """Count the filter's outcomes; streams the captions table."""
    found = Outcomes()
    for outcome_of, batch in tables.scan_outcomes(captions, ["text"]):
        for outcome, text in zip(outcome_of.to_pylist(), batch["text"].to_pylist(), strict=True):
            found.counts[outcome] += 1
            some = found.examples.setdefault(outcome, [])
            if len(some) < _EXAMPLES and text.strip() and text not in some:
                some.append(text)
    return found


def filter_section(found: Outcomes, pictures: Sequence[Picture] = ()) -> Section:
    """Return the section of how many comments were kept, and how many were rejected for each reason, with examples.

    Parameters
    ----------
    found : Outcomes
        How the comments fared.
    pictures : sequence of Picture
        What stands before the table.
    """
    total = max(1, found.counts.total())
    order = sorted(found.counts, key=lambda outcome: (not outcome.startswith("kept"), -found.counts[outcome], outcome))
    rows = [
        Row(
            name.replace("_", " "),
            [
                Cell(f"{found.counts[name]:,}"),
                Cell(f"{found.counts[name] / total:.1%}", bar=found.counts[name] / total),
                Cell(" · ".join(_short(text) for text in found.examples[name])),
            ],
        )
        for name in order
    ]
    columns = [("outcome", "kept, or the first reason that rejected the comment"), ("comments", ""), ("share", "")]
    return Section(
        "Comments",
        [*pictures, Table([*columns, ("for example", "the first ones in the table")], rows, wordy=True)],
        intro=f"Every one of the {found.counts.total():,} comments is kept or has the first reason that rejected it.",
    )


def filter_pictures(stage_plots: Path | None, stage_metrics: Path | None, params: FilterParams) -> list[Picture]:
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
    if funnel := read_json(stage_plots / "filter" / "funnel.json"):
        note = "Comments that are left after each filter of the chain, in order; grey: rejected there."
        drawn.append(_picture(lambda: funnel_figure(funnel), note))
    metrics = (read_json(stage_metrics / "filter.json") if stage_metrics is not None else None) or {}
    scores = read_json(stage_plots / "filter" / "scores.json")
    if scores and "threshold" in metrics:
        note = "All comments by score; the green line is the share that a threshold there would keep."
        drawn.append(_picture(lambda: score_figure(scores, params.scores, metrics["threshold"], params.upper), note))
    return drawn


def near_misses_section(stage_plots: Path | None) -> Section | None:
    """Return the section of the comments nearest to the score's threshold, with what makes up their scores.

    Parameters
    ----------
    stage_plots : Path, optional
        The folder of the stages' plots.
    """
    found = read_json(stage_plots / "filter" / "near_misses.json") if stage_plots is not None else None
    comments: dict[tuple[str, int, str], list[dict[str, Any]]] = {}
    for share in found or []:
        comments.setdefault((share["comment_id"], share["sentence"], share["side"]), []).append(share)
    if not comments:
        return None
    rows = [
        Row(
            f"{shares[0]['score']:g}, {side}",
            [
                Cell(_short(shares[0]["text"])),
                Cell(" · ".join(f"{one['signal']} {one['share']:+.2f}" for one in shares[:_SHARES])),
            ],
        )
        for (_, _, side), shares in comments.items()
    ]
    table = Table([("score", ""), ("comment", ""), ("what makes it up", "shares by signal or word")], rows, wordy=True)
    intro = "The comments about which the score says least: those nearest to the threshold, kept and rejected, and why."
    return Section("Near misses", [table], intro=intro)


def _picture(draw: "Callable[[], Figure]", note: str) -> Picture:
    with figures.look():
        return Picture(figures.svg(draw()), note)


def training_section(training: Training) -> Section | None:
    """Draw the learning curves of the CNNs and the captioners.

    Parameters
    ----------
    training : dict
        By stage and item the rows of each `curve`, in the order that gives them their colours.
    """
    panels = {}
    for stage, items in training.items():
        curves = {item: one["curve"] for item, one in items.items() if one["curve"] and "epoch" in one["curve"][0]}
        if curves:
            panels[stage] = curves
    if not panels:
        return None
    note = "Loss by epoch: solid on validation data, dotted on training data (with dropout and augmentation)."
    return Section("Training", [Picture(figures.svg(figures.learning_curves(panels)), note)])


def numbers_section(stage_metrics: Path | None, training: Training) -> Section | None:
    """List all numbers of the stages before."""
    found: dict[str, dict[str, Any]] = {}
    for stage in UPSTREAM if stage_metrics is not None else ():
        found[stage] = read_json((stage_metrics or Path()) / f"{stage}.json") or {}
    for stage, items in training.items():
        found |= {f"{stage} {item}": one["metrics"] for item, one in sorted(items.items())}
    rows = [
        Row(name, [Cell(key.replace("_", " ")), Cell(_number(value))])
        for name, numbers in found.items()
        for key, value in numbers.items()
    ]
    return Section("All numbers", [Table([("stage", ""), ("number", ""), ("value", "")], rows)]) if rows else None


def read_json(path: Path) -> Any:
    """Return what a JSON file of an earlier stage holds; None where there is no such file.

    Raises
    ------
    PhotocriticError
        The file is damaged.
    """
    require_declared(path)
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise PhotocriticError(f"{path}: not readable as JSON ({error}); run its stage again") from None


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return f"“{flat}”" if len(flat) <= _EXAMPLE_LENGTH else f"“{flat[:_EXAMPLE_LENGTH].rstrip()}…”"


def _number(value: Any) -> str:
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.4g}"
    return f"{value:,.0f}" if isinstance(value, int | float) else str(value)
