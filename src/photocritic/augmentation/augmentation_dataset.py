"""The dataset of augmentation: the stylised captions, one factual caption for each image, and the images' features."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from photocritic import tables
from photocritic.core.errors import PhotocriticError
from photocritic.retrieval.retriever import Scenes
from photocritic.styles.styled_captions import Caption, SplitCaptions, read_styled_captions


@dataclass(frozen=True)
class AugmentationDataset(SplitCaptions):
    """The captions of the images of one split that have features.

    Attributes
    ----------
    features : dict of str to ndarray
        Each image's features.
    """

    features: dict[str, NDArray[np.float64]]

    def scenes(self, captions: Sequence[Caption]) -> Scenes:
        """Put captions beside their images' features."""
        features = np.array([self.features[caption.image_id] for caption in captions])
        return Scenes([c.image_id for c in captions], features, [c.words for c in captions])

    def queries(self, style: str, count: int, seed: int) -> list[Caption]:
        """Choose the factual captions to write in a style: first of images that have none in it, by a seeded order.

        Where images without the style are too few (in FlickrStyle10K every image has both styles), images that have it
        fill up; the retriever never returns their own phrase to them.
        """
        has_style = {caption.image_id for caption in self.styled if caption.style == style}
        order = np.random.default_rng([seed, *style.encode()]).permutation(len(self.factual))
        shuffled = [self.factual[i] for i in order]
        return sorted(shuffled, key=lambda caption: caption.image_id in has_style)[:count]


def read_datasets(images: Path, captions: Path, features: Path) -> dict[str, AugmentationDataset]:
    """Read the captions that augmentation learns from and writes for.

    Parameters
    ----------
    images, captions, features : Path
        The tables.

    Returns
    -------
    dict of str to AugmentationDataset
        By split: `train` and `val`.

    Raises
    ------
    PhotocriticError
        There are no features of the images that have captions.
    """
    vectors = _features(features)
    found = read_styled_captions(images, captions, among=vectors)
    if not any(some.styled or some.factual for some in found.values()):
        raise PhotocriticError(f"{features}: holds no image that has a usable caption in {captions}; run cnn_pretrain")
    return {name: AugmentationDataset(found[name].styled, found[name].factual, vectors) for name in ("train", "val")}


def _features(path: Path) -> dict[str, NDArray[np.float64]]:
    return {
        image_id: vector
        for ids, regions in tables.read_regions(path, "pooled")
        for image_id, vector in zip(ids.to_pylist(), regions[:, 0].astype(np.float64), strict=True)
    }
