"""What augmentation works on: the stylised captions, and one factual caption for each image."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from photocritic import tables
from photocritic.errors import PhotocriticError
from photocritic.retrieval.scenes import Scenes
from photocritic.style.tokens import Words

FACTUAL = "factual"  # the classifier's name for captions in no style
MIN_WORDS = 4  # fewer leave nothing to split into phrase and content


@dataclass(frozen=True)
class Caption:
    """A caption of an image, as lower-case words."""

    image_id: str
    words: Words
    style: str


@dataclass(frozen=True)
class Material:
    """The captions of the images of one split that have features.

    Attributes
    ----------
    styled : list of Caption
        D_s: the stylised captions.
    factual : list of Caption
        P: one factual caption an image.
    features : dict of str to ndarray
        Each image's features.
    """

    styled: list[Caption]
    factual: list[Caption]
    features: dict[str, NDArray[np.float64]]

    def styles(self) -> list[str]:
        """Give the styles there are, sorted."""
        return sorted({caption.style for caption in self.styled})

    def scenes(self, captions: Sequence[Caption]) -> Scenes:
        """Put captions beside their images' features."""
        features = np.array([self.features[caption.image_id] for caption in captions])
        return Scenes([c.image_id for c in captions], features, [c.words for c in captions])

    def queries(self, style: str, count: int, seed: int) -> list[Caption]:
        """Choose the factual captions to write in a style: first of images that have none in it, by a seeded order.

        Where images without the style are too few (in FlickrStyle10K every image has both styles), images that have it
        fill up; the retriever never gives them their own phrase back.
        """
        has_style = {caption.image_id for caption in self.styled if caption.style == style}
        order = np.random.default_rng([seed, *style.encode()]).permutation(len(self.factual))
        shuffled = [self.factual[i] for i in order]
        return sorted(shuffled, key=lambda caption: caption.image_id in has_style)[:count]


def read(images: Path, captions: Path, features: Path) -> dict[str, Material]:
    """Read the captions that augmentation learns from and writes for.

    Of an image's kept factual captions the one is taken whose length is nearest to the usual stylised caption, since
    the generator learns to read such; among equals the most informative.

    Parameters
    ----------
    images, captions, features : Path
        The tables.

    Returns
    -------
    dict of str to Material
        By split: `train` and `val`.

    Raises
    ------
    PhotocriticError
        There are no features of the images that have captions.
    """
    vectors = _features(features)
    split = {row["image_id"]: row["split"] for row in _rows("images", images, ["image_id", "split"])}
    split = {image: name for image, name in split.items() if image in vectors}
    styled = [caption for caption in _styled(captions) if caption.image_id in split]
    usual = float(np.mean([len(caption.words) for caption in styled])) if styled else 0.0
    factual = [caption for caption in _factual(captions, usual) if caption.image_id in split]
    if not factual and not styled:
        raise PhotocriticError(f"{features}: holds no image that has a usable caption in {captions}; run cnn_pretrain")
    return {
        name: Material(
            [caption for caption in styled if split[caption.image_id] == name],
            [caption for caption in factual if split[caption.image_id] == name],
            {image: vectors[image] for image, its in split.items() if its == name},
        )
        for name in ("train", "val")
    }


def _styled(captions: Path) -> list[Caption]:
    columns = ["comment_id", "image_id", "style", "tokens", "kept"]
    rows = [row for row in _rows("captions", captions, columns) if row["style"] and row["kept"]]
    rows.sort(key=lambda row: row["comment_id"])
    found = [Caption(row["image_id"], row["tokens"], row["style"]) for row in rows if len(row["tokens"]) >= MIN_WORDS]
    if any(caption.style == FACTUAL for caption in found):
        raise PhotocriticError(f"{captions}: a style is called '{FACTUAL}', which stands for no style; rename it")
    return found


def _factual(captions: Path, usual_length: float) -> list[Caption]:
    best: dict[str, tuple[tuple[float, float, str], Words]] = {}
    for row in _rows("captions", captions, ["comment_id", "image_id", "style", "tokens", "score", "kept"]):
        if row["style"] or not row["kept"] or len(row["tokens"]) < MIN_WORDS:
            continue
        rank = (abs(len(row["tokens"]) - usual_length), -row["score"], row["comment_id"])
        if row["image_id"] not in best or rank < best[row["image_id"]][0]:
            best[row["image_id"]] = (rank, row["tokens"])
    return [Caption(image, words, FACTUAL) for image, (_, words) in sorted(best.items())]


def _features(path: Path) -> dict[str, NDArray[np.float64]]:
    return {
        image_id: vector
        for ids, regions in tables.read_regions(path, "pooled")
        for image_id, vector in zip(ids.to_pylist(), regions[:, 0].astype(np.float64), strict=True)
    }


def _rows(table: str, path: Path, columns: list[str]) -> Iterator[dict[str, Any]]:
    for batch in tables.scan(table, path, columns=columns):
        yield from batch.to_pylist()
