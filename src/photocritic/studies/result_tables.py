"""A study's numbers as tables to read, with the paper's rows beneath."""

from photocritic.report import figures
from photocritic.report.blocks import Cell, Row, Table
from photocritic.report.published import AIC_TABLE_2, CC_TABLE_4, DEJA_PAIRS
from photocritic.studies.study_kinds import ACCEPTED, GROUPS, KEEP, RANDOM
from photocritic.studies.study_results import Findings


def results_table(found: Findings, cut: float) -> Table:
    """Return the results in the shape of the paper's table."""
    if found.terms.kind == "rating":
        return _categories(found)
    if found.terms.kind == "informative":
        return _confusion(found, cut)
    if found.terms.kind == "grades":
        return _verdicts(found)
    return _good(found) if found.terms.kind == "yesno" else _pairs(found)


def agreement_table(found: Findings) -> Table:
    """Return how far the raters agree."""
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
        + {"informative": ", divided into good and bad", "grades": ", divided into keep and drop"}.get(
            found.terms.kind, ""
        )
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
            [Cell(_cell_text(key, ours[group, source][key])) for group in groups for key in keys],
            figures.colours(found.terms.sources)[source],
        )
        for source in found.terms.sources
    ]
    rows += [
        Row(
            f"AIC {name}",
            [
                Cell(_cell_text(key, value if key == "average" else value / 100))
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


def _verdicts(found: Findings) -> Table:
    rows = [
        Row(
            f"{row['drawn']}, {row['verdict']}",
            [
                Cell(str(row["comments"])),
                Cell(str(row["keep"]), note=_share(row["keep_share"])),
                Cell(str(row["drop"]), note=_share(None if row["keep_share"] is None else 1 - row["keep_share"])),
                Cell("" if row["mean_grade"] is None else f"{row['mean_grade']:.2f}"),
            ],
        )
        for row in found.results
    ]
    columns = [("drawn, the filter's verdict", ""), ("comments", ""), ("keep", ""), ("drop", ""), ("mean grade", "")]
    note = f"Readers would keep a comment where its mean grade is {KEEP} or more. The shape of AIC Figure 6."
    drawn = [row for row in found.results if row["drawn"] == RANDOM]
    both = sum(row["keep"] for row in drawn if row["verdict"] == ACCEPTED)
    kept, wanted = (
        sum(row["comments"] for row in drawn if row["verdict"] == ACCEPTED),
        sum(row["keep"] for row in drawn),
    )
    if kept and wanted:
        note += (
            f" Of those drawn at random, readers would keep {both} of the {kept} that the filter accepts (precision "
            f"{both / kept:.2f}), and it accepts {both} of the {wanted} that they keep (recall {both / wanted:.2f})."
        )
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
                *(Cell(_cell_text(key, row[key])) for key in rest),
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


def _cell_text(key: str, value: float | None) -> str:
    if value is None:
        return ""
    return {"average": f"{value:.2f}", "p": f"{value:.3f}", "undecided": f"{value:.0f}"}.get(key, f"{value:.0%}")


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
