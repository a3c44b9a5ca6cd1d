"""The multi-modal scene retriever: scenes alike by image, by text, and across (ERG section 3.3)."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from photocritic.retrieval.alignment import ImageToText
from photocritic.retrieval.cosine_index import CosineIndex
from photocritic.retrieval.retriever import Floats, Neighbour, Retriever, Scenes, Words
from photocritic.retrieval.text_space import TextSpace


class MultimodalRetriever(Retriever):
    """Finds scenes from an image or a text by their images or texts: i2i, t2t, i2t and t2i.

    Images are compared by their features, texts by latent semantic analysis, and an image with a text in the text
    space, into which a regression maps the image. Every space has its mean at the origin: CNN features are positive,
    so that without it all photographs would be alike. Similarities are those of ERG Eq. 3.
    """

    ways: ClassVar = ("i2i", "t2t", "i2t", "t2i")

    def fit(self, scenes: Scenes, captions: Sequence[Words] = ()) -> None:
        """Learn the spaces; see `Retriever.fit`."""
        self._feature_mean = scenes.features.mean(axis=0)
        self._text = TextSpace([*scenes.captions, *captions])
        self._aligned = ImageToText(scenes.features, self._text.embed(scenes.captions))

    def index(self, scenes: Scenes) -> None:
        """Index the scenes by image, by text, and by image mapped to text; see `Retriever.index`."""
        images, texts, mapped = self._embed(scenes)
        by_text = CosineIndex(scenes.image_ids, texts)
        self._indices = {
            "i2i": CosineIndex(scenes.image_ids, images),
            "t2t": by_text,
            "i2t": by_text,
            "t2i": CosineIndex(scenes.image_ids, mapped),
        }

    def retrieve(self, queries: Scenes, count: int) -> dict[str, list[list[Neighbour]]]:
        """Find the nearest scenes in all four ways; see `Retriever.retrieve`."""
        images, texts, mapped = self._embed(queries)
        vectors = {"i2i": images, "t2t": texts, "i2t": mapped, "t2i": texts}
        return {way: self._indices[way].search(vectors[way], count, queries.image_ids) for way in self.ways}

    def _embed(self, scenes: Scenes) -> tuple[Floats, Floats, Floats]:
        """Return vectors of the images, of the captions, and of the images in the space of the captions."""
        return (
            np.asarray(scenes.features - self._feature_mean),
            self._aligned.centre(self._text.embed(scenes.captions)),
            self._aligned.embed(scenes.features),
        )
