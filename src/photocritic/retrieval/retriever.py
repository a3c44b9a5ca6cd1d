"""What a retriever is: photographs with captions in, the most similar of them out; found by its name in params.yaml."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from photocritic.core import plugins

Words = Sequence[str]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Scenes:
    """Photographs, each with one caption.

    Attributes
    ----------
    image_ids : list of str
        One a scene; several scenes may share an image.
    features : ndarray of float64, shape (N, D)
        The images' features.
    captions : list of sequence of str
        Lower-case words.
    """

    image_ids: list[str]
    features: Floats
    captions: list[Words]


@dataclass(frozen=True)
class Neighbour:
    """A scene that was found.

    Attributes
    ----------
    row : int
        Its row among the scenes that were indexed.
    similarity : float
        Cosine similarity, from -1 to 1.
    """

    row: int
    similarity: float


class Retriever(ABC):
    """One way, or several, to find scenes similar to a query; a file each in `retrieval/retrievers/`.

    Attributes
    ----------
    ways : tuple of str
        The ways, by the names under which `retrieve` returns what they find.
    """

    ways: ClassVar[tuple[str, ...]]

    @abstractmethod
    def fit(self, scenes: Scenes, captions: Sequence[Words] = ()) -> None:
        """Learn how scenes are compared.

        Parameters
        ----------
        scenes : Scenes
            Images and their factual captions, to learn from.
        captions : sequence of sequence of str
            Further captions whose words should be known, such as stylised ones.
        """

    @abstractmethod
    def index(self, scenes: Scenes) -> None:
        """Take the scenes that can be found from now on, in the place of those before."""

    @abstractmethod
    def retrieve(self, queries: Scenes, count: int) -> dict[str, list[list[Neighbour]]]:
        """Find the indexed scenes nearest to each query; a query's own image is never an answer.

        Parameters
        ----------
        queries : Scenes
            Images with their factual captions.
        count : int
            Neighbours a query and a way, at most.

        Returns
        -------
        dict of str to list of list of Neighbour
            For each of `ways` and each query, the nearest first.
        """


def make(name: str) -> Retriever:
    """Return a new retriever; raises ParamsError where there is none of this name."""
    found: type[Retriever] = plugins.find("retriever", name, "augment.retriever")
    return found()
