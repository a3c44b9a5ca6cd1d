"""How often captions are right about attributes that are known, as a section of the report."""

from collections.abc import Iterable, Mapping

from photocritic.evaluation.attributes import ALL, Tally, group_of
from photocritic.report.blocks import Cell, Row, Section, Table


def attributes_section(tallies: Mapping[str, Tally]) -> Section:
    """Return the section of precision and recall of each group of attributes, and folded away of each attribute.

    Parameters
    ----------
    tallies : mapping of str to Tally
        By variant.
    """
    grouped = {name: found.grouped() for name, found in tallies.items()}
    intro = (
        "The sample's photographs are rendered from attributes that are known. Precision: the share of a caption's "
        "mentions of an attribute that are right. Recall: the share of the photographs with it whose caption says so."
    )
    return Section("Attributes", [attributes_table(grouped), attributes_table(tallies, "Each attribute")], intro)


def attributes_table(tallies: Mapping[str, Tally], folded: str = "") -> Table:
    """Return a row for each attribute, or group of them, with a pair of columns for each variant."""
    first = next(iter(tallies.values()))
    others = sorted({name for found in tallies.values() for name in found.mentioned if name not in first.true})
    names = [*first.true, *others]
    groups = [*(group for group in dict.fromkeys(map(group_of, names)) if group != ALL), ALL]
    ordered = sorted(names, key=lambda name: (groups.index(group_of(name)), -first.true[name], name))
    columns = [("attribute", "of a photograph"), ("true", "photographs that have it")]
    for name in tallies:
        columns += [(f"{name} precision", "of its mentions"), (f"{name} recall", "of the photographs that have it")]
    rows = [Row(_spelled(name), [Cell(f"{first.true[name]:,}"), *_cells(name, tallies.values())]) for name in ordered]
    return Table(columns, rows, folded=folded)


def _cells(name: str, tallies: Iterable[Tally]) -> list[Cell]:
    found = list(tallies)
    best_precision, best_recall = _best(one.precision(name) for one in found), _best(one.recall(name) for one in found)
    cells = []
    for one in found:
        precision, recall = one.precision(name), one.recall(name)
        note = f"of {one.mentioned[name]:,}"
        cells.append(Cell(_share(precision), precision is not None and precision == best_precision, note))
        cells.append(Cell(_share(recall), recall is not None and recall == best_recall))
    return cells


def _best(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return max(known) if len(set(known)) > 1 else None


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def _spelled(name: str) -> str:
    return name.replace(":", ": ").replace("_", " ")
