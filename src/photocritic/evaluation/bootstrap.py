"""How sure a mean over images is, and a difference between variants on the same images."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAMPLES = 2000  # resamples; the interval's ends then move by about a hundredth of its width from seed to seed
_BLOCK = 200  # resamples at once; bounds the memory


@dataclass(frozen=True)
class Interval:
    """A 95% percentile interval of a mean, and the chance that the variant is the best.

    Attributes
    ----------
    mean, low, high : float
        The mean over images, and the interval's ends.
    behind_low, behind_high : float
        Interval of the difference to the variant with the best mean, on the same images; both 0 for that one.
    """

    mean: float
    low: float
    high: float
    behind_low: float
    behind_high: float

    @property
    def is_clearly_behind(self) -> bool:
        """Return whether the difference to the best variant is below 0 in the whole interval."""
        return self.behind_high < 0.0


def intervals(scores: Mapping[str, NDArray[np.float64]], seed: int, samples: int = SAMPLES) -> dict[str, Interval]:
    """Resample the images, the same for every variant, and look how the means move.

    Parameters
    ----------
    scores : mapping of str to ndarray, shape (N,)
        Scores of the same N images by variant; N is at least 1.
    seed : int
        Of the resampling.
    samples : int
        Number of resamples.

    Returns
    -------
    dict of str to Interval
        By variant.

    References
    ----------
    Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13; Koehn 2004, Statistical Significance Tests
    for Machine Translation Evaluation, for the pairing.
    """
    matrix = np.stack(list(scores.values()), axis=1)
    means = matrix.mean(axis=0)
    resampled = resampled_means(matrix, seed, samples)
    low, high = np.percentile(resampled, [2.5, 97.5], axis=0)
    best = int(np.argmax(means))
    behind_low, behind_high = np.percentile(resampled - resampled[:, [best]], [2.5, 97.5], axis=0)
    columns = (means, low, high, behind_low, behind_high)
    return {name: Interval(*(float(column[place]) for column in columns)) for place, name in enumerate(scores)}


def resampled_means(matrix: NDArray[np.float64], seed: int, samples: int) -> NDArray[np.float64]:
    """Return the means of resampled rows.

    Parameters
    ----------
    matrix : ndarray, shape (N, V)
        Scores of N images by V variants.
    seed : int
        Of the resampling; the same seed draws the same rows whatever the scores.
    samples : int
        Number of resamples.

    Returns
    -------
    ndarray, shape (samples, V)
        Each row the means over one resample, the same images for all variants.
    """
    rng = np.random.default_rng(seed)
    count = len(matrix)
    blocks = []
    for start in range(0, samples, _BLOCK):
        weights = rng.multinomial(count, np.full(count, 1.0 / count), size=min(_BLOCK, samples - start))
        blocks.append(weights @ matrix / count)
    return np.concatenate(blocks)
