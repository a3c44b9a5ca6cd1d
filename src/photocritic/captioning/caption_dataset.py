"""A captioner's dataset: captions beside their images, as numbers in flat arrays from which batches are gathered."""

import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from photocritic.captioning.vocabulary import BOS, EOS, PAD, UNK, Vocabulary

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True)
class Pairs:
    """Captions beside the images they describe.

    Attributes
    ----------
    features : ndarray
        (N, R, C) float32, the regions of all images.
    images : ndarray
        (n,) int32, each caption's row in `features`.
    offsets : ndarray
        (n + 1,) int64, where each caption begins in `tokens`.
    tokens : ndarray
        All captions' numbers one after another, without `BOS`; each ends with `EOS` unless it was cut.
    views : ndarray, optional
        (N, V, C) float32, pooled features of random views of the images, which a batch may have in their place.
    """

    features: Floats
    images: NDArray[np.int32]
    offsets: Integers
    tokens: NDArray[np.int32]
    views: Floats | None = None

    def __len__(self) -> int:
        return len(self.images)

    def lengths_of(self, rows: Integers) -> Integers:
        """Count the numbers to predict in each of the captions."""
        return self.offsets[rows + 1] - self.offsets[rows]

    @property
    def unknown_share(self) -> float:
        """Share of the words that are not in the vocabulary."""
        return float((self.tokens == UNK).sum() / max((self.tokens != EOS).sum(), 1))

    @property
    def cut_share(self) -> float:
        """Share of the captions that were cut, which have no end mark."""
        return 1.0 - float((self.tokens == EOS).sum() / max(len(self), 1))

    def batch(self, rows: Integers, varied: bool = False) -> tuple[Floats, Integers, Integers]:
        """Gather captions.

        Parameters
        ----------
        rows : ndarray
            (B,) which captions.
        varied : bool
            Whether a view is drawn for each caption, by torch's global generator, where there are views.

        Returns
        -------
        features, inputs, targets : ndarray
            (B, R, C) features; (B, T) what the model reads, from `BOS`; (B, T) what it shall predict, `PAD` at the end.
        """
        images = self.images[rows]
        if self.views is None or not varied:
            return self.features[images], *self.words(rows)
        drawn = torch.randint(self.views.shape[1], (len(rows),)).numpy()
        return self.views[images, drawn][:, None], *self.words(rows)

    def words(self, rows: Integers) -> tuple[Integers, Integers]:
        """Gather captions without their images: the inputs and targets of `batch`."""
        starts = self.offsets[rows]
        lengths = self.lengths_of(rows)
        positions = np.arange(lengths.max())
        inside = positions < lengths[:, None]
        flat = np.where(inside, starts[:, None] + positions, 0)
        targets = np.where(inside, self.tokens[flat], PAD).astype(np.int64)
        inputs = np.concatenate([np.full((len(rows), 1), BOS), targets[:, :-1]], axis=1)
        return np.where(inside, inputs, PAD), targets


@dataclass(frozen=True)
class Dataset:
    """All that a captioner is trained and validated on.

    Attributes
    ----------
    vocabulary : Vocabulary
        Words of the training captions.
    train, val : Pairs
        Captions of the training and the validation images.
    empty : int
        Captions without a word, which are in neither.
    styled : dict of str to Pairs
        By style, the training images' captions in it.
    image_ids : tuple of str
        The image of each row of the pairs' features.
    aspects : dict of str to Dataset
        By aspect, its captions alone, with the same vocabulary.
    """

    vocabulary: Vocabulary
    train: Pairs
    val: Pairs
    empty: int = 0
    styled: dict[str, Pairs] = field(default_factory=dict)
    image_ids: tuple[str, ...] = ()
    aspects: "dict[str, Dataset]" = field(default_factory=dict)

    def with_features(self, features: Floats) -> "Dataset":
        """Return the same captions beside other features of the same images, (N, R, C)."""
        train, val = (replace(pairs, features=features, views=None) for pairs in (self.train, self.val))
        styled = {style: replace(pairs, features=features) for style, pairs in self.styled.items()}
        aspects = {aspect: one.with_features(features) for aspect, one in self.aspects.items()}
        return replace(self, train=train, val=val, styled=styled, aspects=aspects)


def scratch_matrix(folder: Path, rows: int, shape: tuple[int, ...]) -> Floats:
    """Make a matrix in a file without a name, gone with its last user: memory does not grow with the corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder) as file:  # the mapping keeps the unlinked file alive
        return np.memmap(file, np.float32, mode="w+", shape=(max(rows, 1), *shape))
