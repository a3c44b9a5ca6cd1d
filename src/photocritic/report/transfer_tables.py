"""The report's tables of what captioners say about another corpus's photographs (AIC Table 1 b)."""

from dataclasses import replace
from pathlib import Path

from photocritic.config import Params
from photocritic.evaluation.measure import shown
from photocritic.evaluation.transfer import Transfer
from photocritic.metrics.columns import label
from photocritic.report.blocks import Cell, Row, Section, Table
from photocritic.report.headline import metric_table
from photocritic.report.published import AIC_TABLE_1B

_TOLD = {"spice_1": 1, "spice_1_precision": 2, "spice_1_recall": 3}  # columns of AIC Table 1 (b)
_NOT_SHOWN = "AIC's Table 1 (b) has SPICE-1 alone, which was not measured here."


def transfer_section(transfer: Transfer, params: Params) -> Section:
    """Return the section of another corpus, under the published numbers where they compare, and by aspect.

    Parameters
    ----------
    transfer : Transfer
        The findings.
    params : Params
        What the variants were trained on.
    """
    left_out = f" {transfer.seen:,} photographs that captioners were trained on are left out." if transfer.seen else ""
    intro = (
        f"The same captioners on {transfer.images:,} held-back photographs of {transfer.corpus}, against "
        f"{transfer.references:,} {transfer.source} of theirs. Nothing was trained on that corpus.{left_out}"
    )
    return Section("Another corpus", transfer_tables(transfer, params), intro)


def transfer_tables(transfer: Transfer, params: Params) -> list[Table]:
    """Return the metrics on another corpus, and by aspect where its references have several."""
    return [_overall(transfer, params), *([_by_aspect(transfer)] if transfer.aspects else [])]


def _overall(transfer: Transfer, params: Params) -> Table:
    found = transfer.measures
    keys = [*shown(found), *(key for key in _TOLD if key != "spice_1" and key in next(iter(found.values())).per_image)]
    table = metric_table(found, keys)
    trained, tested = Cell(Path(params.ingest.source).name), Cell(transfer.corpus)
    rows = [
        Row(
            f"AIC {name}",
            [Cell(values[0]), Cell("PCCD"), *(Cell(_published(values, key)) for key in keys)],
            muted=True,
        )
        for name, values in AIC_TABLE_1B.items()
        if _TOLD.keys() & set(keys)
    ]
    place = keys.index("cider_d")
    for row in table.rows:
        span, cells = found[row.name].interval, list(row.cells)
        cells[place] = replace(cells[place], note=f"{span.low:.3f}–{span.high:.3f}")
        rows.append(replace(row, cells=[trained, tested, *cells]))
    published = "AIC rows: Table 1 (b), on PCCD's validation set." if len(rows) > len(found) else _NOT_SHOWN
    note = f"Under CIDEr-D its 95% bootstrap interval. {published}"
    extra = [("trained on", ""), ("tested on", "")]
    return Table([table.columns[0], *extra, *table.columns[1:]], rows, note)


def _published(values: tuple[str, float, float, float], key: str) -> str:
    return f"{values[_TOLD[key]]:.3f}" if key in _TOLD else ""


def _by_aspect(transfer: Transfer) -> Table:
    first = next(iter(transfer.measures.values()))
    key = "spice_1" if "spice_1" in first.per_image else "cider_d"
    rows = []
    for aspect, found in transfer.aspects.items():
        values = [one.corpus[key] for one in found.measures.values()]
        cells = [Cell(f"{value:.3f}", best=len(values) > 1 and value == max(values) > min(values)) for value in values]
        rows.append(Row(aspect, [Cell(f"{found.images:,}"), *cells]))
    columns = [("references", "where they were written: in PCCD an aspect"), ("images", "that have such references")]
    return Table(
        [*columns, *((name, label(key)) for name in transfer.measures)], rows, f"{label(key)} against these alone."
    )
