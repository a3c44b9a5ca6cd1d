"""The tables of metrics by variant."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from photocritic import metrics
from photocritic.config import Retriever, Variant
from photocritic.evaluation.champion import Choice
from photocritic.evaluation.measure import Measures, shown
from photocritic.evaluation.significance import Difference
from photocritic.metrics import diversity
from photocritic.metrics.columns import best, column, headline
from photocritic.report.blocks import Cell, Row, Table
from photocritic.report.figures import colours
from photocritic.report.published import AIC_TABLE_1A, AIC_TABLE_1B

_TEST = "two-tailed paired t-test over images (* p < .05, ** p < .005; Déjà Table 6)"


def accuracy_table(
    measures: Mapping[str, Measures],
    variants: Mapping[str, Variant | Retriever],
    differences: Sequence[Difference],
    on_pccd: bool = False,
) -> Table:
    """Return the headline metrics under the published ones, with the interval of CIDEr-D and stars (AIC Table 1).

    Parameters
    ----------
    measures : mapping of str to Measures
        By variant.
    variants : mapping of str to Variant or Retriever
        What each learned from.
    differences : sequence of Difference
        Those to the first variant say where the stars stand.
    on_pccd : bool
        Whether the photographs are PCCD's, of which the published numbers are then too (AIC Table 1 b).
    """
    keys = shown(measures)
    published = {name: {"spice_1": values[1]} for name, values in AIC_TABLE_1B.items()} if on_pccd else AIC_TABLE_1A
    table = metric_table(measures, keys)
    place = keys.index("cider_d")
    first = next(iter(measures))
    stars = {(one.variant, one.metric): one.stars for one in differences if one.baseline == first}
    rows = [
        Row(
            f"AIC {name}",
            [Cell("", note="published"), *(Cell(_shown(values.get(key))) for key in keys)],
            muted=True,
        )
        for name, values in published.items()
        if values.keys() & set(keys)
    ]
    for row in table.rows:
        cells = [replace(cell, mark=stars.get((row.name, key), "")) for key, cell in zip(keys, row.cells, strict=True)]
        rows.append(_annotated(replace(row, cells=cells), place, measures[row.name], variants[row.name]))
    starred = f" Stars: another score than {first}'s, by a {_TEST}." if len(measures) > 1 else ""
    measured = (
        "Table 1 (b), on PCCD's validation set, where SPICE-1 is measured."
        if on_pccd
        else "Table 1 (a), measured on AVA-Captions, not on these images; its “CIDEr” is CIDEr-D."
    )
    note = (
        f"Bold: best of the column.{starred} Under CIDEr-D its 95% bootstrap interval; “behind” where the difference "
        f"to the best variant, on the same images, stays below zero. AIC rows: {measured}"
    )
    return Table([table.columns[0], ("learns from", "captions and visual features"), *table.columns[1:]], rows, note)


def choice_table(validation: Mapping[str, Mapping[str, float]], choice: Choice) -> Table:
    """Return what the rule `promote` looks at: its numbers on validation images, and who is eligible."""
    keys = list(next(iter(validation.values())))
    rows = [
        Row(
            name,
            [
                *(
                    Cell(format(found[key], column(key).form), place == 0 and name == choice.winner)
                    for place, key in enumerate(keys)
                ),
                Cell(choice.refused.get(name, "yes")),
            ],
        )
        for name, found in validation.items()
    ]
    note = "On validation photographs, by which the champion is chosen. No other number is of them."
    return Table(
        [("on validation", "the variants"), *map(_title, keys), ("eligible", "passes promote.gate")], rows, note
    )


def difference_table(differences: Sequence[Difference]) -> Table:
    """Return how much higher each variant scores than those before it, with intervals and stars."""
    keys = list(dict.fromkeys(one.metric for one in differences))
    pairs: dict[tuple[str, str], list[Cell]] = {}
    for one in differences:
        cell = Cell(f"{one.mean:+.3f}", note=f"{one.low:+.3f} to {one.high:+.3f}", mark=one.stars)
        pairs.setdefault((one.variant, one.baseline), []).append(cell)
    note = (
        "Mean over images of the difference of their own scores, its 95% paired bootstrap interval, and stars by a "
        f"{_TEST}; p-values are not corrected for the number of pairs."
    )
    rows = [Row(f"{variant} − {baseline}", cells) for (variant, baseline), cells in pairs.items()]
    return Table([("pair", "the first less the second"), *map(_title, keys)], rows, note)


def detail_table(measures: Mapping[str, Measures]) -> Table:
    """Return the accuracy metrics that are no headlines: precision and recall of SPICE, BLEU-1 without penalty."""
    main = headline()
    return metric_table(measures, [key for key in next(iter(measures.values())).per_image if key not in main])


def diversity_table(measures: Mapping[str, Measures]) -> Table:
    """Return the table of diversity."""
    first = next(iter(measures.values()))
    return metric_table(measures, [key for key in first.corpus if key in diversity.COLUMNS])


def left_out(wanted: Literal["auto"] | Sequence[str]) -> str:
    """Return which metrics are not measured and why; empty where all are.

    Parameters
    ----------
    wanted : "auto" or sequence of str
        As `evaluate.metrics`. Where it names the metrics, nothing in the text depends on the machine.
    """
    if wanted == "auto":
        found = {metrics.kind(name).label: metrics.missing(name) for name in metrics.names()}
        return " ".join(f"{name}: not installed ({hint})." for name, hint in found.items() if hint)
    names = [metrics.kind(name).label for name in metrics.names() if name not in wanted]
    return f"Not asked for (evaluate.metrics): {', '.join(names)}." if names else ""


def _annotated(row: Row, place: int, measures: Measures, variant: Variant | Retriever) -> Row:
    """Return what the variant learns from, with the cell at the place of CIDEr-D its interval."""
    span = measures.interval
    note = f"{span.low:.3f}–{span.high:.3f}" + (" · behind" if span.is_clearly_behind else "")
    cells = list(row.cells)
    cells[place] = replace(cells[place], note=note)
    captions = f"{variant.captions}, {variant.aspect}" if variant.aspect else variant.captions
    learned = Cell(captions, note=f"{variant.features} features")
    return Row(row.name, [learned, *cells], row.colour)


def _title(key: str) -> tuple[str, str]:
    return column(key).label, column(key).hint


def metric_table(measures: Mapping[str, Measures], keys: Sequence[str]) -> Table:
    """Return some metrics by variant, the best of each column marked."""
    shades = colours(list(measures))
    most = {key: best(key, [found.corpus[key] for found in measures.values()]) for key in keys}
    forms = {key: column(key).form for key in keys}
    rows = [
        Row(
            name,
            [Cell(format(found.corpus[key], forms[key]), found.corpus[key] == most[key]) for key in keys],
            shades[name],
        )
        for name, found in measures.items()
    ]
    return Table([("variant", "as in params.yaml"), *map(_title, keys)], rows)


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
