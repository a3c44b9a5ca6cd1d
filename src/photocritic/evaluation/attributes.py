"""How often captions are right about what is truly in an image, attribute by attribute, where that is known."""

from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from photocritic.config import Params
from photocritic.evaluation.predictions import Prediction
from photocritic.evaluation.truth import Subject

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


def _by_group(counts: Counter[str]) -> Counter[str]:
    grouped: Counter[str] = Counter()
    for name, count in counts.items():
        grouped[group_of(name)] += count
    grouped[ALL] = counts.total()
    return grouped


def group_of(name: str) -> str:
    """Return what stands before the colon of an attribute."""
    return name.partition(":")[0]
