"""Captioners by retrieval as predictors: INSTANCE and ASSOC."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from photocritic.captioning.caption_dataset import Floats
from photocritic.captioning.predictor import FACTUAL, Caption
from photocritic.captioning.retrieval import SETTINGS
from photocritic.config import Decoding
from photocritic.core import logs
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.core.files import atomic_dir
from photocritic.images.decoding import Pixels
from photocritic.retrieval.affinity import affinities, squared_distances
from photocritic.retrieval.caption_graph import CaptionGraph
from photocritic.retrieval.vector_index import VectorIndex

Method = Literal["instance", "assoc"]


@dataclass(frozen=True)
class RetrievalSettings:
    """How a retriever ranks captions.

    Attributes
    ----------
    method : "instance" or "assoc"
        The caption of the nearest photograph, or the one whose photographs are nearest.
    candidates : int
        Nearest photographs whose captions are ranked, K.
    sigma : int or None
        A caption's nearest photographs that its affinity is the mean over; None: all.
    channels : (int, int)
        The first of the features' channels that affinities are computed by, and the one after the last.
    """

    method: Method
    candidates: int
    sigma: int | None
    channels: tuple[int, int]


class Ranked(NamedTuple):
    """Captions that may fit a photograph, best first.

    Attributes
    ----------
    captions : ndarray of int64, (T,)
        By their places in the graph.
    affinities : ndarray of float64, (T,)
        How well each fits: at most 0, in descending order.
    """

    captions: NDArray[np.int64]
    affinities: NDArray[np.float64]


class Found(NamedTuple):
    """A caption that was found for a photograph.

    Attributes
    ----------
    caption : str
        Its words, joined by blanks.
    affinity : float
        How well it fits: at most 0.
    image_ids : tuple of str
        Photographs with this caption, the nearest first.
    """

    caption: str
    affinity: float
    image_ids: tuple[str, ...]


@dataclass(frozen=True)
class RetrievalPredictor:
    """A captioner that finds what people wrote under similar photographs.

    A caption's log-probability is its affinity: the negative mean squared distance to photographs with this caption.

    Attributes
    ----------
    graph : CaptionGraph
        The captions, and the photographs under which they were written.
    index : VectorIndex
        The features of `graph.image_ids`, (V, C).
    settings : RetrievalSettings
        How captions are ranked.

    References
    ----------
    Ordonez et al. 2011, Im2Text: Describing Images Using 1 Million Captioned Photographs (INSTANCE); Chen et al. 2015,
    Déjà Image-Captions, section 3 (ASSOC).
    """

    graph: CaptionGraph
    index: VectorIndex
    settings: RetrievalSettings

    view: Literal["pooled"] = "pooled"
    side: int = 0
    styles: tuple[str, ...] = ()

    def predict(
        self,
        images: Floats | Pixels,
        decoding: Decoding,
        *,
        style: str = FACTUAL,
        batch_size: int = 256,
        seed: int = 0,
        names: Sequence[str] | None = None,
    ) -> list[Caption]:
        """Return the caption that fits each image best; see `Predictor.predict`. Nothing is decoded or drawn."""
        del decoding, seed, names
        if style != FACTUAL:
            raise ParamsError("style: a captioner by retrieval has no styles; choose a variant of model: style_net")
        width = self.index.vectors.shape[1]
        if images.shape[1:] != (1, width):
            raise TrainingError(
                f"features of shape {images.shape} do not fit an index of {width} numbers an image; use the features "
                "that its retriever names, or run the stage retrieve again"
            )
        found: list[Caption] = []
        for start in logs.progress(range(0, len(images), batch_size), "retrieving captions"):
            for ranked in self.rank(np.asarray(images[start : start + batch_size, 0], np.float32)):
                text = self.graph.captions[ranked.captions[0]]
                found.append(Caption(text, float(ranked.affinities[0]), tuple(text.split())))
        return found

    def find(self, queries: NDArray[np.float32], captions: int, photographs: int) -> list[list[Found]]:
        """Find captions for photographs, and photographs with each caption.

        Parameters
        ----------
        queries : ndarray of float32, (Q, C)
            The photographs' features.
        captions, photographs : int
            How many captions of a photograph, and photographs of a caption, at most.

        Returns
        -------
        list of list of Found
            For each photograph the captions that fit best, best first.
        """
        return [
            [
                Found(self.graph.captions[caption], float(affinity), self._nearest_with(caption, query, photographs))
                for caption, affinity in zip(*(column[:captions] for column in ranked), strict=True)
            ]
            for query, ranked in zip(queries, self.rank(queries), strict=True)
        ]

    def _nearest_with(self, caption: int, query: NDArray[np.float32], count: int) -> tuple[str, ...]:
        members, _ = self.graph.photographs_of(np.array([caption]))
        compared = slice(*self.settings.channels)
        distances = squared_distances(query[compared], self.index.vectors[members, compared])
        return tuple(self.graph.image_ids[row] for row in members[np.lexsort((members, distances))][:count])

    def rank(self, queries: NDArray[np.float32]) -> list[Ranked]:
        """Rank captions for photographs by their features, (Q, C)."""
        near = self.index.search(queries, self.settings.candidates)
        return [self._rank(query, rows) for query, rows in zip(queries, near, strict=True)]

    def _rank(self, query: NDArray[np.float32], near: NDArray[np.int64]) -> Ranked:
        distances = squared_distances(query, self.index.vectors[near])
        nearest = near[np.lexsort((near, distances))][: self.settings.candidates]
        if self.settings.method == "instance":
            return self._by_nearest(nearest, -np.sort(distances)[: self.settings.candidates])
        captions = self.graph.captions_of(nearest)
        members, starts = self.graph.photographs_of(captions)
        compared = slice(*self.settings.channels)
        found = affinities(
            squared_distances(query[compared], self.index.vectors[members, compared]), starts, self.settings.sigma
        )
        order = np.argsort(-found, kind="stable")
        return Ranked(captions[order], found[order])

    def _by_nearest(self, nearest: NDArray[np.int64], similarities: NDArray[np.float64]) -> Ranked:
        """Rank captions by the nearest photograph of each."""
        captions: dict[int, float] = {}
        for image, similarity in zip(nearest, similarities, strict=True):
            for caption in self.graph.captions_of([image]).tolist():
                captions.setdefault(caption, float(similarity))
        return Ranked(np.array(list(captions), np.int64), np.array(list(captions.values())))

    def save(self, folder: Path) -> None:
        """Write it whole or not at all, as JSON and arrays of numpy; `load` reads it."""
        with atomic_dir(folder) as temporary:
            self.graph.save(temporary)
            self.index.save(temporary)
            text = json.dumps(asdict(self.settings), indent=1, sort_keys=True)
            (temporary / SETTINGS).write_text(text + "\n", encoding="utf-8")


def load(folder: Path) -> RetrievalPredictor:
    """Load what `RetrievalPredictor.save` wrote; its vectors stay on disk.

    Raises
    ------
    TrainingError
        A file is missing, damaged, or does not fit the others.
    """
    graph, index = CaptionGraph.load(folder), VectorIndex.load(folder)
    if len(index.vectors) != len(graph.image_ids):
        raise TrainingError(
            f"{folder}: {len(index.vectors)} vectors for {len(graph.image_ids)} photographs; run the stage retrieve "
            "again"
        )
    try:
        found = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        settings = _settings(found, index.vectors.shape[1])
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise TrainingError(f"{folder / SETTINGS}: damaged ({reason}); run the stage retrieve again") from None
    return RetrievalPredictor(graph, index, settings)


def _settings(found: dict[str, Any], width: int) -> RetrievalSettings:
    begin, end = map(int, found["channels"])
    sigma = None if found["sigma"] is None else int(found["sigma"])
    settings = RetrievalSettings(found["method"], int(found["candidates"]), sigma, (begin, end))
    if settings.method not in get_args(Method) or min(settings.candidates, sigma or 1) < 1:
        raise ValueError("no such method, or no candidates")
    if not 0 <= begin < end <= width:
        raise ValueError(f"channels {begin} to {end} of {width}")
    return settings
