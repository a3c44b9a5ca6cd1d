"""The multi-modal scene retriever: scenes alike by image, by text, and across (ERG section 3.3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from photocritic.retrieval.alignment import ImageToText
from photocritic.retrieval.index import CosineIndex, Neighbour
from photocritic.retrieval.text import TextSpace, Words

Retrieval = Literal["i2i", "t2t", "i2t", "t2i"]
RETRIEVALS: tuple[Retrieval, ...] = ("i2i", "t2t", "i2t", "t2i")  # from image or text, to image or text

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


class SceneSpace:
    """The spaces in which scenes are compared, learnt from factual scenes.

    Images are compared by their features, texts by latent semantic analysis, and an image with a text in the text
    space, into which a regression maps the image. Every space has its mean at the origin: CNN features are positive,
    so that without it all photographs would be alike.

    Parameters
    ----------
    factual : Scenes
        Images and their factual captions, to learn from.
    others : sequence of sequence of str
        Further captions whose words the text space shall know, such as stylised ones.
    """

    def __init__(self, factual: Scenes, others: Sequence[Words] = ()) -> None:
        self._feature_mean = factual.features.mean(axis=0)
        self._text = TextSpace([*factual.captions, *others])
        self._aligned = ImageToText(factual.features, self._text.embed(factual.captions))

    def images(self, scenes: Scenes) -> Floats:
        """Give vectors of the images for comparing with images."""
        return np.asarray(scenes.features - self._feature_mean)

    def texts(self, scenes: Scenes) -> Floats:
        """Give vectors of the captions, for comparing with captions and with `images_as_texts`."""
        return self._aligned.centre(self._text.embed(scenes.captions))

    def images_as_texts(self, scenes: Scenes) -> Floats:
        """Give vectors of the images for comparing with captions."""
        return self._aligned.embed(scenes.features)


class SceneRetriever:
    """Finds scenes similar to a query, in four ways.

    Parameters
    ----------
    space : SceneSpace
        Where scenes are compared.
    scenes : Scenes
        What can be found.
    """

    def __init__(self, space: SceneSpace, scenes: Scenes) -> None:
        self._space = space
        self._indices: dict[Retrieval, CosineIndex] = {
            "i2i": CosineIndex(scenes.image_ids, space.images(scenes)),
            "t2t": CosineIndex(scenes.image_ids, space.texts(scenes)),
            "t2i": CosineIndex(scenes.image_ids, space.images_as_texts(scenes)),
        }
        self._indices["i2t"] = self._indices["t2t"]

    def search(self, queries: Scenes, count: int) -> dict[Retrieval, list[list[Neighbour]]]:
        """Find the scenes nearest to each query; a query's own image is never an answer.

        Parameters
        ----------
        queries : Scenes
            Images with their factual captions.
        count : int
            Neighbours a query and a way of retrieval, at most.

        Returns
        -------
        dict of str to list of list of Neighbour
            By way of retrieval, for each query the rows of the scenes and their cosine similarity (ERG Eq. 3).
        """
        texts = self._space.texts(queries)
        vectors: dict[Retrieval, Floats] = {
            "i2i": self._space.images(queries),
            "t2t": texts,
            "i2t": self._space.images_as_texts(queries),
            "t2i": texts,
        }
        return {way: self._indices[way].search(vectors[way], count, queries.image_ids) for way in RETRIEVALS}
