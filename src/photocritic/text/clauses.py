"""Where a sentence begins in text without punctuation, by the words and tags on both sides."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from photocritic.text.tagging import Tagged
from photocritic.text.words import BUNDLED

FILE = "clauses.json"  # in a pipeline's folder
_LEAST_WORDS = 3  # of a clause
# Log odds above which a clause begins: a probability of .25. On texts whose punctuation was taken out, a higher one
# finds few of the beginnings, and a lower one cuts clauses apart.
_THRESHOLD = -1.1
_END = ">"  # the tag after the last word


class ClauseWeights(NamedTuple):
    """A logistic regression.

    Attributes
    ----------
    intercept : float
        Log odds where no feature is known.
    features : dict of str to float
        The weight of each feature (`features_at`).
    """

    intercept: float
    features: dict[str, float]

    @classmethod
    @cache
    def load(cls, pipeline: Path = BUNDLED) -> "ClauseWeights":
        """Load the weights from a pipeline's folder."""
        return cls(**json.loads((pipeline / FILE).read_text(encoding="utf-8")))

    def save(self, pipeline: Path) -> None:
        """Write the weights into a pipeline's folder."""
        (pipeline / FILE).write_text(json.dumps(self._asdict(), indent=0) + "\n", encoding="utf-8")


def features_at(words: list[str], tags: list[str], place: int) -> tuple[str, str, str, str]:
    """Return what a clause that begins at a word is known by: two words, and the tags around.

    Parameters
    ----------
    words : list of str
        In lower case.
    tags : list of str
        Penn Treebank tags.
    place : int
        The word's place, at least 1.
    """
    following = tags[place + 1] if place + 1 < len(tags) else _END
    return (
        f"{words[place]} begins",
        f"{words[place - 1]} ends",
        f"{tags[place - 1]} {tags[place]}",
        f"{tags[place]} {following} begin",
    )


def clause_starts(tagged: Tagged, weights: ClauseWeights | None = None) -> list[int]:
    """Return the places of the words that begin a clause, but for the first.

    Parameters
    ----------
    tagged : Tagged
        A text of several clauses or one, without punctuation.
    weights : ClauseWeights, optional
        The bundled pipeline's by default.
    """
    intercept, features = weights or ClauseWeights.load()
    words = [word.lower() for word in tagged.words]
    found = [0]
    for place in range(_LEAST_WORDS, len(words) - _LEAST_WORDS + 1):
        if place - found[-1] >= _LEAST_WORDS:
            known = (features.get(feature, 0.0) for feature in features_at(words, tagged.tags, place))
            if intercept + sum(known) > _THRESHOLD:
                found.append(place)
    return found[1:]
