"""What a metric is: captions and their references in, scores per image and corpus out, and how tables show them."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from photocritic.core.errors import PhotocriticError
from photocritic.metrics.ngrams import Coded, Counts, Ints, NgramIndex, position_of

Tokens = Sequence[str]
Floats = NDArray[np.float64]


class References:
    """What people wrote about each image, counted once for all metrics and all candidates.

    Parameters
    ----------
    captions : sequence of sequence of sequence of str
        For each image, the tokens of each of its reference captions.

    Attributes
    ----------
    image : ndarray of int64, shape (R,)
        The image that each reference caption belongs to; the captions of an image stand together.

    Raises
    ------
    PhotocriticError
        An image has no reference.
    """

    def __init__(self, captions: Sequence[Sequence[Tokens]]) -> None:
        bare = [index for index, some in enumerate(captions) if not some]
        if bare:
            raise PhotocriticError(f"image {bare[0]} has no reference caption; leave such images out before scoring")
        self.captions = captions
        self.image: Ints = np.repeat(np.arange(len(captions)), [len(some) for some in captions]).astype(np.int64)

    def __len__(self) -> int:
        return len(self.captions)

    @cached_property
    def index(self) -> NgramIndex:
        """The reference captions' n-grams, in the order of `image`."""
        return NgramIndex([caption for some in self.captions for caption in some])

    @cached_property
    def per_image(self) -> Floats:
        """The number of references of each image, shape (N,)."""
        return np.bincount(self.image, minlength=len(self)).astype(np.float64)

    @cached_property
    def document_frequency(self) -> list[Ints]:
        """For each order, the number of images among whose references each n-gram stands."""
        return self.index.owners(self.image)


@dataclass(frozen=True)
class Comparison:
    """Captions in the numbers of their references.

    Attributes
    ----------
    coded : Coded
        The captions' words.
    counts : list of Counts
        Their n-grams of each order, from 1 to 4.
    places : list of ndarray of int64
        For each order and each n-gram entry of the references, the index of the same n-gram in the counts of that
        image's caption, or -1.
    """

    coded: Coded
    counts: list[Counts]
    places: list[Ints]


class Captions:
    """One generated caption for each image.

    Parameters
    ----------
    tokens : sequence of sequence of str
        The tokens of each image's caption, in the order of the references.
    """

    def __init__(self, tokens: Sequence[Tokens]) -> None:
        self.tokens = tokens
        self._last: tuple[References, Comparison] | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    def against(self, references: References) -> Comparison:
        """Code and count the captions with the references' numbers; the last answer is remembered."""
        if self._last is None or self._last[0] is not references:
            coded, counts = references.index.look_up(self.tokens)
            places = [
                position_of(mine, references.image[theirs.sentence], theirs.ngram)
                for mine, theirs in zip(counts, references.index.counts, strict=True)
            ]
            self._last = (references, Comparison(coded, counts, places))
        return self._last[1]


@dataclass(frozen=True)
class Scores:
    """Scores by key; a metric may give several keys, such as bleu_1 to bleu_4.

    Attributes
    ----------
    corpus : dict of str to float
        One number for all captions.
    per_image : dict of str to ndarray of float64, shape (N,)
        One number for each image.
    """

    corpus: dict[str, float]
    per_image: dict[str, Floats]

    @classmethod
    def mean(cls, key: str, values: Floats) -> "Scores":
        """Make the scores of a metric whose corpus value is the mean over images."""
        return cls({key: float(values.mean()) if len(values) else 0.0}, {key: values})


@dataclass(frozen=True)
class Column:
    """How tables and figures show a number, and which of two is better.

    Attributes
    ----------
    label : str
        Its name as the field writes it.
    hint : str
        What it is, in a few words.
    headline : bool
        Whether it stands in the main table and figure, and can choose the champion; others stand in the details.
    better : "higher", "lower" or "neither"
        Which of two numbers is better.
    form : str
        How it is written, as in `format`.
    """

    label: str
    hint: str = ""
    headline: bool = True
    better: Literal["higher", "lower", "neither"] = "higher"
    form: str = ".3f"


class Metric(ABC):
    """One way to compare captions with references; a file each in `metrics/overlap/`.

    Attributes
    ----------
    label : str
        Its name as the field writes it.
    columns : mapping of str to Column
        The scores that it returns by their keys, in the order of the tables.
    place : float
        Where it stands among the metrics; those without a place come last, by their names.
    """

    label: ClassVar[str]
    columns: ClassVar[Mapping[str, Column]]
    place: ClassVar[float] = math.inf

    @classmethod
    def missing(cls) -> str:
        """Return what has to be installed before the metric can be made; empty where nothing is missing."""
        return ""

    def score(self, candidates: Captions, references: References) -> Scores:
        """Score one caption an image against the image's references.

        Parameters
        ----------
        candidates : Captions
            One an image.
        references : References
            Of the same N images.

        Returns
        -------
        Scores
            One for each of `columns`; between 0 and 1 where the metric says nothing else.

        Raises
        ------
        PhotocriticError
            There are not as many captions as images, or the program behind the metric failed.
        """
        if len(candidates) != len(references):
            raise PhotocriticError(
                f"{len(candidates)} captions for {len(references)} images with references; give one each"
            )
        return self._score(candidates, references)

    @abstractmethod
    def _score(self, candidates: Captions, references: References) -> Scores: ...

    def close(self) -> None:  # noqa: B027 - most metrics hold nothing
        """End what the metric has started, such as a process; it cannot score any more."""
