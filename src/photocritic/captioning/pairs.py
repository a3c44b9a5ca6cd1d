"""Captions beside their images, as numbers in flat arrays from which batches are gathered."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from photocritic.captioning.vocabulary import BOS, EOS, PAD, UNK

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
    """

    features: Floats
    images: NDArray[np.int32]
    offsets: Integers
    tokens: NDArray[np.int32]

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

    def batch(self, rows: Integers) -> tuple[Floats, Integers, Integers]:
        """Gather captions.

        Parameters
        ----------
        rows : ndarray
            (B,) which captions.

        Returns
        -------
        features, inputs, targets : ndarray
            (B, R, C) features; (B, T) what the model reads, from `BOS`; (B, T) what it shall predict, `PAD` at the end.
        """
        return self.features[self.images[rows]], *self.words(rows)

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
