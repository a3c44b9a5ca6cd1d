"""The association graph in the report: captions that several images share, with photographs (Déjà Figure 1)."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from photocritic.config import AssociateParams
from photocritic.core.declaration import require_declared
from photocritic.report.blocks import Block, Cell, Group, Row, Section, Table, Terms, Thumbnail
from photocritic.report.earlier_stages import read_json
from photocritic.report.gallery import thumbnails

SIDE = 128  # pixels of a photograph's longer side
_PERCENTILES = {"images": "images of a caption", "tokens": "words of a caption"}
_SYNTAX = "verb: has a verb; prep: a preposition and no verb; adj: an adjective and neither; none: none of them"


@dataclass(frozen=True)
class AssociationFiles:
    """What the stage `associate` and those before it have left.

    Attributes
    ----------
    stage_metrics, stage_plots, stage_tables : Path, optional
        Folders of the numbers, plots and tables of stages that run once.
    images, shards : Path
        The images table and its images; a corpus of text only has none to show.
    """

    stage_metrics: Path | None
    stage_plots: Path | None
    stage_tables: Path | None
    images: Path
    shards: Path


def association_section(params: AssociateParams, files: AssociationFiles, *, pictures: bool = True) -> Section | None:
    """Return the section of how captions repeat, beside Déjà's figures, and of the commonest ones with photographs.

    Parameters
    ----------
    params : AssociateParams
        Which captions are in the graph.
    files : AssociationFiles
        What is shown.
    pictures : bool
        Whether photographs are wanted.

    Returns
    -------
    Section or None
        One sentence where the graph is empty; None where the stage has left no numbers.

    Raises
    ------
    PhotocriticError
        A file is damaged.
    """
    metrics = read_json(files.stage_metrics / "associate.json") if files.stage_metrics is not None else None
    if metrics is None:
        return None
    rule = f"at least {_count(params.images, 'different photograph')}"
    rule += f" and {_count(params.authors, 'author')}" if params.authors > 1 else ""
    if not metrics["forms"]:
        return Section("Captions in repetition", [], intro=f"No {params.unit}'s {params.form} form has {rule}.")
    intro = (
        f"{metrics['forms']:,.0f} captions ({params.unit}s of one {params.form} form) have {rule}; "
        f"{metrics['edges']:,.0f} comments associate them with {metrics['associated_images']:,.0f} photographs."
    )
    blocks: list[Block] = []
    shown = read_json(files.stage_plots / "associate" / "photographs.json") if files.stage_plots is not None else None
    if shown and pictures and (groups := _groups(shown, files)):
        blocks.append(Terms(groups))
        intro += " Here are those of most photographs; each photograph's own wording shows on hover."
    if files.stage_tables is not None:
        folder = files.stage_tables / "associate"
        blocks += [table for table in (_percentiles(folder), _syntax(folder)) if table.rows]
    return Section("Captions in repetition", blocks, intro=intro)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number > 1)}"


def _groups(shown: Sequence[Mapping[str, Any]], files: AssociationFiles) -> list[Group]:
    """Return a group a caption with its photographs; none where there is text only."""
    sources = thumbnails({row["image_id"] for row in shown}, files.images, files.shards, SIDE)
    groups = []
    for _, rows in groupby(shown, key=lambda row: row["form"]):
        own = list(rows)
        found = [Thumbnail(sources[row["image_id"]], row["text"]) for row in own if row["image_id"] in sources]
        groups.append(Group(own[0]["caption"], _count(own[0]["images"], "photograph"), [], found))
    return groups if sources else []


def _percentiles(folder: Path) -> Table:
    """Return Déjà's Table 2."""
    found = _read_csv(folder / "association_percentiles.csv")
    names = list(dict.fromkeys(row["statistic"] for row in found))
    rows = [
        Row(
            title,
            [Cell(f"{float(row['here']):.4g}", note=f"{float(row['paper']):g}") for row in found if row["of"] == of],
        )
        for of, title in _PERCENTILES.items()
        if found
    ]
    return Table([("", ""), *((name, "") for name in names)], rows, note="Below: Déjà Table 2.")


def _syntax(folder: Path) -> Table:
    """Return Déjà's Table 5."""
    rows = [
        Row(
            row["type"],
            [
                Cell(f"{float(row['captions']):.0%}", note=_share(row["paper_captions"])),
                Cell(f"{float(row['images']):.0%}", note=_share(row["paper_images"])),
                Cell(row["top_captions"]),
            ],
        )
        for row in _read_csv(folder / "association_syntax.csv")
    ]
    columns = [
        ("type", _SYNTAX),
        ("captions", "share of the captions"),
        ("images", "share of the images"),
        ("of most images", ""),
    ]
    return Table(columns, rows, note="Below: Déjà Table 5.", wordy=True)


def _share(figure: str) -> str:
    return f"{float(figure):.0%}" if figure else ""


def _read_csv(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table that a stage has left; none where there is no such table."""
    require_declared(path)
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
