"""A study's numbers as a figure."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from photocritic.report import figures
from photocritic.report.blocks import Picture
from photocritic.studies.study_results import Findings, Rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = Mapping[str, Any]
Panels = Mapping[str, Mapping[str, Mapping[str, float]]]  # shares by title, row and segment
_SHADES = ("#10b981", "#9ca3af", "#ef4444")  # good, between, bad; distinct by their order too
_RAMP = ("#d1d5db", "#93c5fd", "#3b82f6", "#1e40af")


def result_figure(found: Findings) -> Picture | None:
    """Draw what shares of the captions were found what; None where there is nothing to draw."""
    rows = found.results
    if found.terms.kind == "rating":
        return _bars(_by_group(rows, _categories), _SHADES, "All ratings, by source of the caption.")
    if found.terms.kind == "informative":
        return _confusion(_by_group(rows, _halves))
    if found.terms.kind == "grades":
        return _confusion(_by_draw(rows))
    if found.terms.kind == "yesno":
        bars = {row["source"]: _exactly(row) for row in rows if row["captions"]}
        return _bars({"GOOD answers": bars}, _RAMP, "Share of the captions with exactly so many GOOD answers.")
    if found.terms.kind == "multiple":
        return None  # its shares overlap
    chosen = {f"{row['first']} or {row['second']}": _sides(row) for row in rows if row["first_share"] is not None}
    return _bars({"majority's choice": chosen}, figures.PALETTE, "Share of the images that were decided.")


def _by_group(rows: Rows, segments: Callable[[Row], dict[str, float]]) -> Panels:
    groups = dict.fromkeys(row["group"] for row in rows)
    return {f"{name}s": {row["source"]: segments(row) for row in rows if row["group"] == name} for name in groups}


def _by_draw(rows: Rows) -> Panels:
    panels: dict[str, dict[str, dict[str, float]]] = {}
    for row in rows:
        if row["comments"]:
            shares = {"readers keep": row["keep_share"], "readers drop": 1.0 - row["keep_share"]}
            panels.setdefault(row["drawn"], {})[row["verdict"]] = shares
    return panels


def _categories(row: Row) -> dict[str, float]:
    return {key: row[f"{key}_of_ratings"] or 0.0 for key in ("good", "common", "bad")}


def _halves(row: Row) -> dict[str, float]:
    good = row["good_share"] or 0.0
    return {"found good": good, "found bad": 1.0 - good}


def _exactly(row: Row) -> dict[str, float]:
    shares = [1.0, *(row[key] for key in row if key.endswith("+")), 0.0]
    return {str(k): more - yet_more for k, (more, yet_more) in enumerate(pairwise(shares))}


def _sides(row: Row) -> dict[str, float]:
    return {"first": row["first_share"], "second": row["second_share"]}


def _bars(panels: Panels, shades: tuple[str, ...], note: str) -> Picture | None:
    return Picture(figures.svg(_stacked(panels, shades)), note) if any(panels.values()) else None


def _confusion(panels: Panels) -> Picture | None:
    note = "Rows: where the captions come from; columns: what people thought (the shape of AIC Figure 6)."
    return Picture(figures.svg(_matrices(panels)), note) if panels else None


def _stacked(panels: Panels, shades: tuple[str, ...]) -> "Figure":
    from matplotlib.figure import Figure

    with figures.look():
        longest = max(map(len, panels.values()))
        figure = Figure(figsize=(9.6, 0.9 + 0.45 * longest), layout="constrained")
        for axes, (title, bars) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True):
            left = dict.fromkeys(bars, 0.0)
            for place, segment in enumerate(next(iter(bars.values()))):
                widths = [shares[segment] for shares in bars.values()]
                shade = shades[place % len(shades)]
                axes.barh(list(bars), widths, 0.6, left=list(left.values()), color=shade, label=segment)
                left = {name: start + width for (name, start), width in zip(left.items(), widths, strict=True)}
            axes.set(title=title, xlim=(0, 1))
            axes.xaxis.set_major_formatter("{x:.0%}")
            axes.invert_yaxis()
            axes.legend(ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.18 - 0.25 / longest))
    return figure


def _matrices(panels: Panels) -> "Figure":
    from matplotlib.figure import Figure

    with figures.look():
        figure = Figure(figsize=(9.6, 2.6), layout="constrained")
        for axes, (title, rows) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True):
            columns = list(next(iter(rows.values())))
            for down, shares in enumerate(rows.values()):
                for across, key in enumerate(columns):
                    depth = 0.1 + 0.6 * shares[key]
                    axes.barh(down, 0.96, 0.96, left=across - 0.48, color=figures.PALETTE[0], alpha=depth)
                    axes.text(across, down, f"{shares[key]:.0%}", ha="center", va="center", fontsize=12)
            axes.set_xticks(range(len(columns)), columns)
            axes.set_yticks(range(len(rows)), list(rows))
            axes.set(title=title, xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))
            axes.grid(visible=False)
    return figure
