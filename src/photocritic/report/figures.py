"""The evaluation's pictures, and any picture as SVG that follows the reader's light or dark mode."""

import io
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from photocritic.evaluation.measure import Measures, shown
from photocritic.metrics.columns import label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import RcKeyType

# Told apart in light and dark mode and by most colour-blind readers, who also have the markers.
PALETTE = ("#3b82f6", "#f59e0b", "#10b981", "#d946ef", "#ef4444", "#06b6d4", "#8b5cf6", "#84cc16")
_MARKERS = "osD^vPX*"
_INK, _LINE = "#24292e", "#d0d7dd"  # replaced by the page's own colours in the report
_IDS = re.compile(r' id="(?!p[0-9a-f]{8,}|m[0-9a-f]{8,})[^"]*"')  # matplotlib numbers every figure's parts alike


def colours(names: Sequence[str]) -> dict[str, str]:
    """Return each variant a colour, the same in every picture and table."""
    return {name: PALETTE[place % len(PALETTE)] for place, name in enumerate(names)}


def diversity_curves(measures: Mapping[str, Measures]) -> "Figure":
    """Draw the number of different n-grams at each position, a panel for each length, and overall diversity.

    References
    ----------
    AIC Figure 5 (a)-(d).
    """
    from matplotlib.figure import Figure

    orders = list(next(iter(measures.values())).positions)
    with look():
        figure = Figure(figsize=(11.4, 3.1), layout="constrained")
        *panels, overall = figure.subplots(1, len(orders) + 1)
        for order, axes in zip(orders, panels, strict=True):
            curves = {name: found.positions[order] for name, found in measures.items()}
            _lines(axes, {name: list(enumerate(curve, 1)) for name, curve in curves.items()})
            axes.set(title="words" if order == 1 else f"{order}-grams", xlabel="position in the caption")
        panels[0].set_ylabel("different ones")
        panels[-1].legend()
        _diversity_bars(overall, measures)
    return figure


def _diversity_bars(axes: "Axes", measures: Mapping[str, Measures]) -> None:
    """Draw the share of pairs of captions that differ, by all words and by content words alone."""
    shades = colours(list(measures))
    width = 0.8 / len(measures)
    for place, (name, found) in enumerate(measures.items()):
        values = [found.corpus[key] for key in ("diversity", "diversity_content")]
        x = [group + (place - (len(measures) - 1) / 2) * width for group in range(len(values))]
        bars = axes.bar(x, values, 0.9 * width, color=shades[name])
        axes.bar_label(bars, fmt="{:.0%}", padding=2, fontsize="small")
    axes.set(title="overall diversity", ylabel="share of pairs of captions", yticks=[])
    axes.set_xticks([0, 1], ["all words", "content words"])
    axes.margins(y=0.12)


def metric_bars(measures: Mapping[str, Measures]) -> "Figure":
    """Draw the headline metrics, a group of bars for each, with CIDEr-D's interval."""
    from matplotlib.figure import Figure

    names, shades, keys = list(measures), colours(list(measures)), shown(measures)
    width = 0.8 / len(names)
    with look():
        figure = Figure(figsize=(9.6, 3.1), layout="constrained")
        axes = figure.add_subplot()
        for place, name in enumerate(names):
            x = [group + (place - (len(names) - 1) / 2) * width for group in range(len(keys))]
            values = [measures[name].corpus[key] for key in keys]
            axes.bar(x, values, 0.9 * width, color=shades[name], label=name)
            span = measures[name].interval
            axes.plot([x[keys.index("cider_d")]] * 2, [span.low, span.high], color=_INK, linewidth=1.2)
        axes.set_xticks(range(len(keys)), [label(key) for key in keys])
        axes.grid(visible=False, axis="x")
        axes.legend()
    return figure


def learning_curves(panels: Mapping[str, Mapping[str, Sequence[Mapping[str, float]]]]) -> "Figure":
    """Draw the training (dotted) and validation loss of several trainings over their epochs.

    Parameters
    ----------
    panels : mapping of str to mapping
        For each panel's title, and for each training in it by name, the rows of its learning curve: epoch,
        train_loss, val_loss. A panel's first training has the first variant's colour, and so on.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    with look():
        figure = Figure(figsize=(9.6, 3.1), layout="constrained")
        for axes, (title, curves) in zip(
            figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True
        ):
            axes.set(title=title, xlabel="epoch", ylabel="loss")
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            for name, colour in colours(list(curves)).items():
                _loss(axes, curves[name], name, colour)
            axes.legend()
    return figure


def _loss(axes: "Axes", rows: Sequence[Mapping[str, float]], name: str, colour: str) -> None:
    legend = name  # in the legend, once
    for key, style in (("val_loss", "-"), ("train_loss", ":")):
        points = [(row["epoch"], row[key]) for row in rows if row.get(key) is not None]
        if points:
            axes.plot(*zip(*points, strict=True), style, color=colour, label=legend)
            legend = "_"  # matplotlib leaves these out of the legend


def svg(figure: "Figure") -> str:
    """Turn a figure into an SVG element for a page; the same figure gives the same text.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        Drawn inside `look`, whose colours become the page's: `currentColor` and `var(--line)`.

    Returns
    -------
    str
        The <svg> element, with real text in the page's font.
    """
    buffer = io.StringIO()
    with look():
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    text = _IDS.sub("", text).replace(_INK, "currentColor").replace(_LINE, "var(--line)")
    return re.sub(
        r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1), count=1
    )


def _lines(axes: "Axes", curves: Mapping[str, Sequence[tuple[int, float]]]) -> None:
    shades = colours(list(curves))
    for place, (name, points) in enumerate(curves.items()):
        marker = _MARKERS[place % len(_MARKERS)]
        axes.plot(*zip(*points, strict=True), color=shades[name], marker=marker, markersize=3, label=name)
    axes.set_ylim(bottom=0)
    axes.set_xlim(left=0.5)


def look() -> AbstractContextManager[None]:
    """Apply the page's fonts and colours to what is drawn inside the context."""
    from matplotlib import rc_context

    settings: dict[RcKeyType, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "photocritic",
        "font.family": "sans-serif",
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.titleweight": "bold",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": _LINE,
        "axes.edgecolor": _LINE,
        "lines.linewidth": 1.6,
        "legend.frameon": False,
        "text.color": _INK,
        "text.parse_math": False,
        "axes.labelcolor": _INK,
        "axes.titlecolor": _INK,
        "xtick.color": _INK,
        "ytick.color": _INK,
    }
    context: AbstractContextManager[None] = rc_context(settings)
    return context
