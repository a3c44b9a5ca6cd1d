"""How often captions are right about what is truly in an image, attribute by attribute, where that is known."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from photocritic.config import Params
from photocritic.evaluation.decode import Prediction
from photocritic.evaluation.truth import Subject
from photocritic.report.blocks import Cell, Row, Section, Table

ALL = "all"  # the name of all groups together
Mentions = Callable[[str], AbstractSet[str]]  # gives the attributes that a caption talks about


@dataclass(frozen=True)
class Tally:
    """Counts over images, by attribute.

    Attributes
    ----------
    true, mentioned, right : Counter of str
        Images that have the attribute; captions that talk about it; captions that do so of an image that has it.
    """

    true: Counter[str] = field(default_factory=Counter)
    mentioned: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)

    def grouped(self) -> "Tally":
        """Count by group, what stands before the colon of an attribute, and all together as `all`."""
        return Tally(*(_by_group(counts) for counts in (self.true, self.mentioned, self.right)))

    def precision(self, name: str) -> float | None:
        """Give the share of the mentions that are right; None where there is none."""
        return self.right[name] / self.mentioned[name] if self.mentioned[name] else None

    def recall(self, name: str) -> float | None:
        """Give the share of the images with the attribute whose caption talks about it; None where no image has it."""
        return self.right[name] / self.true[name] if self.true[name] else None

    def summary(self) -> dict[str, float]:
        """Give precision and recall of all attributes of all images together; 0 where nothing is mentioned."""
        found = self.grouped()
        return {"attribute_precision": found.precision(ALL) or 0.0, "attribute_recall": found.recall(ALL) or 0.0}


def mentions_of(params: Params) -> Mentions | None:
    """Give what finds the attributes a caption talks about; None unless the corpus is the bundled sample."""
    if params.ingest.reader != "sample":
        return None
    from photocritic.sample import mentions

    return mentions


def tally(subjects: Sequence[Subject], predictions: Sequence[Prediction], mentions: Mentions) -> Tally:
    """Compare what captions talk about with the labels of their images, one caption an image in the same order."""
    found = Tally()
    for subject, prediction in zip(subjects, predictions, strict=True):
        told = mentions(prediction.text)
        found.true.update(subject.labels)
        found.mentioned.update(told)
        found.right.update(told & set(subject.labels))
    return found


def attributes_section(tallies: Mapping[str, Tally]) -> Section:
    """Show precision and recall of each group of attributes, and folded away of each attribute.

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
    """Lay out a row for each attribute, or group of them, with a pair of columns for each variant."""
    first = next(iter(tallies.values()))
    others = sorted({name for found in tallies.values() for name in found.mentioned if name not in first.true})
    names = [*first.true, *others]
    groups = [*(group for group in dict.fromkeys(map(_group, names)) if group != ALL), ALL]
    ordered = sorted(names, key=lambda name: (groups.index(_group(name)), -first.true[name], name))
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


def _by_group(counts: Counter[str]) -> Counter[str]:
    grouped: Counter[str] = Counter()
    for name, count in counts.items():
        grouped[_group(name)] += count
    grouped[ALL] = counts.total()
    return grouped


def _group(name: str) -> str:
    return name.partition(":")[0]
