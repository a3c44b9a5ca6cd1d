"""The bipartite graph of captions and the photographs under which they were written, in memory (Déjà 2)."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from photocritic.core.errors import TrainingError

Integers = NDArray[np.int64]

CAPTIONS, EDGES = "captions.json", "edges.npy"


@dataclass(frozen=True)
class CaptionGraph:
    """Captions T, photographs V, and which caption was written under which photograph, E.

    Attributes
    ----------
    captions : list of str
        (T,) words joined by blanks; each once.
    image_ids : list of str
        (V,) photographs, each with at least one caption.
    offsets : ndarray of int64, (T + 1,)
        Where each caption's photographs begin in `members`.
    members : ndarray of int64, (E,)
        Photographs by their places in `image_ids`; of one caption each once, in ascending order.
    """

    captions: list[str]
    image_ids: list[str]
    offsets: Integers
    members: Integers

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str, str]]) -> "CaptionGraph":
        """Build a graph.

        Parameters
        ----------
        pairs : iterable of (str, str, str)
            What makes captions one, such as their canonical form; a caption's wording; and its photograph. Of several
            wordings the most frequent stands for all, of equally frequent ones the first.
        """
        wordings: list[Counter[str]] = []
        places: dict[str, int] = {}
        images: dict[str, int] = {}
        edges: list[tuple[int, int]] = []
        for key, wording, image in pairs:
            place = places.setdefault(key, len(places))
            if place == len(wordings):
                wordings.append(Counter())
            wordings[place][wording] += 1
            edges.append((place, images.setdefault(image, len(images))))
        captions = [found.most_common(1)[0][0] for found in wordings]
        return cls._joined(captions, list(images), np.array(edges, np.int64).reshape(-1, 2))

    @classmethod
    def _joined(cls, captions: list[str], image_ids: list[str], edges: Integers) -> "CaptionGraph":
        edges = np.unique(edges, axis=0)
        offsets = np.searchsorted(edges[:, 0], np.arange(len(captions) + 1))
        return cls(captions, image_ids, offsets, edges[:, 1].copy())

    @cached_property
    def _by_image(self) -> tuple[Integers, Integers]:
        """Where each photograph's captions begin, and the captions by photograph."""
        captions = np.repeat(np.arange(len(self.captions)), np.diff(self.offsets))
        order = np.lexsort((captions, self.members))
        return np.searchsorted(self.members[order], np.arange(len(self.image_ids) + 1)), captions[order]

    def captions_of(self, images: Sequence[int] | Integers) -> Integers:
        """Return the captions of some photographs, each once: those of the first photograph first.

        A photograph's own are in the order of how many photographs have them, most first.
        """
        starts, captions = self._by_image
        found: dict[int, None] = {}
        for image in images:
            own = captions[starts[image] : starts[image + 1]]
            sizes = self.offsets[own + 1] - self.offsets[own]
            found |= dict.fromkeys(own[np.argsort(-sizes, kind="stable")].tolist())
        return np.array(list(found), np.int64)

    def photographs_of(self, captions: Integers) -> tuple[Integers, Integers]:
        """Return the photographs of some captions one caption after the other, and where each caption's begin."""
        counts = self.offsets[captions + 1] - self.offsets[captions]
        starts = np.concatenate([[0], np.cumsum(counts)])
        places = np.arange(starts[-1]) - np.repeat(starts[:-1] - self.offsets[captions], counts)
        return self.members[places], starts

    def save(self, folder: Path) -> None:
        """Write captions and photographs as JSON and the edges as an array of numpy."""
        text = json.dumps({"captions": self.captions, "image_ids": self.image_ids}, ensure_ascii=False, indent=0)
        (folder / CAPTIONS).write_text(text + "\n", encoding="utf-8")
        captions = np.repeat(np.arange(len(self.captions)), np.diff(self.offsets))
        np.save(folder / EDGES, np.stack([captions, self.members], axis=1), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> "CaptionGraph":
        """Read what `save` wrote.

        Raises
        ------
        TrainingError
            A file is missing, damaged, or does not fit the other.
        """
        try:
            named = json.loads((folder / CAPTIONS).read_text(encoding="utf-8"))
            edges = np.load(folder / EDGES, allow_pickle=False)
            captions, image_ids = [[str(one) for one in named[key]] for key in ("captions", "image_ids")]
            limits = (len(captions), len(image_ids))
            if edges.ndim != 2 or edges.shape[1] != 2 or not len(edges) or (edges < 0).any():
                raise ValueError("its edges are no pairs")
            if any(_numbers(column) != size for column, size in zip(edges.T, limits, strict=True)):
                raise ValueError("its edges are of another list of captions")
        except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
            reason = " ".join(str(error).split())[:200]
            raise TrainingError(f"{folder}: damaged index ({reason}); run the stage retrieve again") from None
        return cls._joined(captions, image_ids, edges.astype(np.int64))


def _numbers(column: Integers) -> int:
    """Return how many numbers there are from 0 on; -1 where one of them is missing."""
    found = np.unique(column)
    return len(found) if np.array_equal(found, np.arange(len(found))) else -1
