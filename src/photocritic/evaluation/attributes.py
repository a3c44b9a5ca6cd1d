"""How often captions are right about what is truly in an image, attribute by attribute, where that is known."""

from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from photocritic.config import Params
from photocritic.evaluation.evaluation_set import EvaluationExample
from photocritic.evaluation.predictions import Prediction

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
        """Return the share of the mentions that are right; None where there is none."""
        return self.right[name] / self.mentioned[name] if self.mentioned[name] else None

    def recall(self, name: str) -> float | None:
        """Return the share of the images with the attribute whose caption names it; None where no image has it."""
        return self.right[name] / self.true[name] if self.true[name] else None

    def summary(self) -> dict[str, float]:
        """Return precision and recall of all attributes of all images together; 0 where nothing is mentioned."""
        found = self.grouped()
        return {"attribute_precision": found.precision(ALL) or 0.0, "attribute_recall": found.recall(ALL) or 0.0}


def mentions_of(params: Params) -> Mentions | None:
    """Return what finds the attributes a caption talks about; None unless the corpus is the bundled sample."""
    if params.ingest.reader != "sample":
        return None
    from photocritic.sample import mentions

    return mentions


def tally(examples: Sequence[EvaluationExample], predictions: Sequence[Prediction], mentions: Mentions) -> Tally:
    """Compare what captions talk about with the labels of their images, one caption an image in the same order."""
    found = Tally()
    for example, prediction in zip(examples, predictions, strict=True):
        named = mentions(prediction.text)
        found.true.update(example.labels)
        found.mentioned.update(named)
        found.right.update(named & set(example.labels))
    return found


def _by_group(counts: Counter[str]) -> Counter[str]:
    grouped: Counter[str] = Counter()
    for name, count in counts.items():
        grouped[group_of(name)] += count
    grouped[ALL] = counts.total()
    return grouped


def group_of(name: str) -> str:
    """Return what stands before the colon of an attribute."""
    return name.partition(":")[0]
