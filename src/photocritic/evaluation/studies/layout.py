"""A study's numbers as tables and a picture to read, with the paper's rows beneath."""

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from photocritic.evaluation import figures
from photocritic.evaluation.published import AIC_TABLE_2, CC_TABLE_4, DEJA_PAIRS
from photocritic.evaluation.report import Cell, Picture, Row, Table
from photocritic.evaluation.studies.kinds import GROUPS
from photocritic.evaluation.studies.results import Findings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHADES = ("#10b981", "#9ca3af", "#ef4444", "#8b5cf6")  # good, between, bad; told apart by their order too
_RAMP = ("#d1d5db", "#93c5fd", "#3b82f6", "#1e40af")


def results_table(found: Findings, cut: float) -> Table:
    """Lay out the results in the shape of the paper's table."""
    if found.terms.kind == "rating":
        return _categories(found)
    if found.terms.kind == "informative":
        return _confusion(found, cut)
    return _good(found) if found.terms.kind == "yesno" else _pairs(found)


def agreement_table(found: Findings) -> Table:
    """Lay out how far the raters agree."""
    rows = [
        Row(
            str(row["group"]),
            [
                Cell(str(row["raters"])),
                Cell(f"{row['ratings']:,}"),
                Cell(_number(row["kappa"]), note=f"{row['kappa_trials']} trials"),
                Cell(_number(row["alpha"]), note=f"{row['alpha_level']}, {row['alpha_trials']} trials"),
            ],
        )
        for row in found.agreement
    ]
    note = (
        "1 is full agreement, 0 what chance gives. Kappa takes the trials with the usual number of ratings"
        + (", divided into good and bad" if found.terms.kind == "informative" else "")
        + "; alpha takes all with two or more."
    )
    columns = [
        ("group", ""),
        ("raters", ""),
        ("answers", ""),
        ("Fleiss' kappa", "1971"),
        ("Krippendorff's alpha", "2011"),
    ]
    return Table(columns, rows, note)


def _categories(found: Findings) -> Table:
    ours = {(row["group"], row["source"]): row for row in found.results}
    groups = [group for group in GROUPS if any(one == group for one, _ in ours)]
    keys = ("good", "common", "bad", "average")
    rows = [
        Row(
            source,
            [Cell(_told(key, ours[group, source][key])) for group in groups for key in keys],
            figures.colours(found.terms.sources)[source],
        )
        for source in found.terms.sources
    ]
    rows += [
        Row(
            f"AIC {name}",
            [
                Cell(_told(key, value if key == "average" else value / 100))
                for group in groups
                for key, value in zip(keys, AIC_TABLE_2[group][name], strict=True)
            ],
            muted=True,
        )
        for name in AIC_TABLE_2["expert"]
    ]
    columns = [(f"{group}s: {key}" if key == "good" else key, f"{group}s") for group in groups for key in keys]
    note = (
        "Share of the captions; a caption's category in a group is the median of its ratings, the lower one of two. "
        "Averages over good = 3, common = 2, bad = 1. AIC rows: Table 2, on photographs from AVA."
    )
    return Table([("captions by", ""), *columns], rows, note)


def _confusion(found: Findings, cut: float) -> Table:
    rows = [
        Row(
            f"{row['source']}, {row['group']}s",
            [
                Cell(str(row["captions"])),
                Cell(str(row["good"]), note=_share(row["good_share"])),
                Cell(str(row["bad"]), note=_share(None if row["good_share"] is None else 1 - row["good_share"])),
                Cell("" if row["mean_score"] is None else f"{row['mean_score']:.1f}"),
            ],
        )
        for row in found.results
    ]
    columns = [("captions, raters", ""), ("captions", ""), ("found good", ""), ("found bad", ""), ("mean score", "")]
    note = f"A caption is good where a group's mean score is {cut:g} or more. The shape of AIC Figure 6."
    return Table(columns, rows, note)


def _good(found: Findings) -> Table:
    keys = [key for key in found.results[0] if key.endswith("+")] if found.results else []
    rows = [
        Row(
            row["source"],
            [Cell(str(row["captions"])), *(Cell(_number(row[key])) for key in keys)],
            figures.colours(found.terms.sources)[row["source"]],
        )
        for row in found.results
    ]
    rows += [
        Row(
            f"CC {name}",
            [
                Cell(""),
                *(Cell(_number(value)) for value in values[: len(keys)]),
                *[Cell("")] * (len(keys) - len(values)),
            ],
            muted=True,
        )
        for name, values in CC_TABLE_4.items()
    ]
    columns = [("captions by", ""), ("captions", "that have all their answers")]
    hints = [(key, f"share of captions that {key[:-1]} or more raters found good") for key in keys]
    note = "Only captions with all their answers. CC rows: Table 4, on Flickr 1K."
    return Table([*columns, *hints], rows, note)


def _pairs(found: Findings) -> Table:
    single = found.terms.kind != "multiple"
    rest = ("undecided", "p") if single else ("both_share", "neither_share")
    rows = [
        Row(
            f"{row['first']} or {row['second']}",
            [
                Cell(str(row["images"])),
                Cell(_share(row["first_share"]), note=row["first"]),
                Cell(_share(row["second_share"]), note=row["second"]),
                *(Cell(_told(key, row[key])) for key in rest),
            ],
        )
        for row in found.results
    ]
    rows += [
        Row(
            f"Déjà {where}",
            [Cell(""), Cell(f"{a}%", note=one), Cell(f"{b}%", note=other), Cell(""), Cell("")],
            muted=True,
        )
        for where, one, other, a, b in DEJA_PAIRS[found.terms.kind]
    ]
    last = [("undecided", "images"), ("p", "two-sided sign test")] if single else [("both", ""), ("neither", "")]
    what = "chose" if single else "found relevant"
    note = f"Share of the images on which most raters {what} each caption; only images with all their answers." + (
        " Undecided ones are left out of the shares." if single else ""
    )
    return Table([("captions by", ""), ("images", ""), ("first", ""), ("second", ""), *last], rows, note)


def drawing(found: Findings) -> Picture | None:
    """Draw what shares of the captions were found what; None before there is anything to draw."""
    kind, rows = found.terms.kind, found.results
    panels: dict[str, dict[str, dict[str, float]]] = {}
    if kind == "rating":
        for row in rows:
            shares = {key: row[f"{key}_of_ratings"] or 0.0 for key in ("good", "common", "bad")}
            panels.setdefault(f"{row['group']}s", {})[row["source"]] = shares
        return _picture(panels, _SHADES, "All ratings, by source of the caption.")
    if kind == "informative":
        for row in rows:
            good = row["good_share"] or 0.0
            panels.setdefault(f"{row['group']}s", {})[row["source"]] = {"found good": good, "found bad": 1.0 - good}
        matrices = {title: panel for title, panel in panels.items() if panel}
        note = "Rows: where the captions come from; columns: what people thought (the shape of AIC Figure 6)."
        return Picture(figures.svg(_matrices(matrices)), note) if matrices else None
    if kind == "yesno":
        bars = {row["source"]: _exactly(row) for row in rows if row["captions"]}
        note = "Share of the captions with exactly so many GOOD answers."
        return _picture({"GOOD answers": bars} if bars else {}, _RAMP, note)
    if kind == "multiple" or not rows:
        return None
    bars = {
        f"{row['first']} or {row['second']}": {"first": row["first_share"], "second": row["second_share"]}
        for row in rows
        if row["first_share"] is not None
    }
    return _picture({"majority's choice": bars} if bars else {}, figures.PALETTE, "Share of the decided images.")


def _exactly(row: Mapping[str, Any]) -> dict[str, float]:
    shares = [1.0, *(row[key] for key in row if key.endswith("+")), 0.0]
    return {str(k): more - yet_more for k, (more, yet_more) in enumerate(pairwise(shares))}


def _picture(
    panels: Mapping[str, Mapping[str, Mapping[str, float]]], shades: tuple[str, ...], note: str
) -> Picture | None:
    return Picture(figures.svg(_stacked(panels, shades)), note) if panels else None


def _stacked(panels: Mapping[str, Mapping[str, Mapping[str, float]]], shades: tuple[str, ...]) -> "Figure":
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


def _matrices(panels: Mapping[str, Mapping[str, Mapping[str, float]]]) -> "Figure":
    from matplotlib.figure import Figure

    with figures.look():
        figure = Figure(figsize=(9.6, 2.6), layout="constrained")
        for axes, (title, rows) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True):
            columns = list(next(iter(rows.values())))
            for down, shares in enumerate(rows.values()):
                for across, key in enumerate(columns):
                    axes.barh(
                        down, 0.96, 0.96, left=across - 0.48, color=figures.PALETTE[0], alpha=0.1 + 0.6 * shares[key]
                    )
                    axes.text(across, down, f"{shares[key]:.0%}", ha="center", va="center", fontsize=12)
            axes.set_xticks(range(len(columns)), columns)
            axes.set_yticks(range(len(rows)), list(rows))
            axes.set(title=title, xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))
            axes.grid(visible=False)
    return figure


def _told(key: str, value: float | None) -> str:
    if value is None:
        return ""
    return {"average": f"{value:.2f}", "p": f"{value:.3f}", "undecided": f"{value:.0f}"}.get(key, f"{value:.0%}")


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
