"""How far raters agree beyond chance."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Level = Literal["nominal", "ordinal", "interval"]


def fleiss_kappa(counts: NDArray[np.int64]) -> float:
    """Compute the agreement of equally many ratings an item on categories without order.

    Parameters
    ----------
    counts : ndarray, shape (N, K)
        How many of an item's ratings fell into each category; all rows have the same sum, at least 2.

    Returns
    -------
    float
        1 is full agreement, 0 what chance gives; not a number where there is no item, or only one category was used.

    Raises
    ------
    ValueError
        The rows' sums differ or are below 2.

    References
    ----------
    Fleiss 1971, Measuring Nominal Scale Agreement Among Many Raters, Psychological Bulletin 76, equations 1 to 7.
    """
    if not len(counts):
        return float("nan")
    ratings = counts.sum(axis=1)
    if ratings.min() < 2 or ratings.min() != ratings.max():
        raise ValueError("Fleiss' kappa takes the same number of ratings for each item, two or more")
    size = ratings[0]
    observed = ((counts**2).sum(axis=1) - size).mean() / (size * (size - 1))
    expected = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    return float("nan") if expected == 1.0 else float((observed - expected) / (1.0 - expected))


def krippendorff_alpha(ratings: Sequence[Sequence[float]], level: Level) -> float:
    """Compute the agreement of any number of ratings an item.

    Parameters
    ----------
    ratings : sequence of sequence of float
        Each item's ratings, in any order; items with fewer than two say nothing and are passed over.
    level : "nominal", "ordinal" or "interval"
        What difference between two values means: that they differ, how many ratings lie between them, their distance.

    Returns
    -------
    float
        1 is full agreement, 0 what chance gives; not a number where fewer than two different values were paired.

    References
    ----------
    Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, sections D and E.
    """
    paired = [item for item in ratings if len(item) > 1]
    values = np.unique([value for item in paired for value in item])
    if len(values) < 2:
        return float("nan")
    coincidences = np.zeros((len(values), len(values)))
    for item in paired:
        counts = np.bincount(np.searchsorted(values, item), minlength=len(values)).astype(float)
        coincidences += (np.outer(counts, counts) - np.diag(counts)) / (len(item) - 1)
    totals = coincidences.sum(axis=0)
    differences = _differences(values, totals, level)
    observed = (coincidences * differences).sum()
    expected = (np.outer(totals, totals) * differences).sum() / (totals.sum() - 1)
    return float(1.0 - observed / expected)


def _differences(values: NDArray[np.float64], totals: NDArray[np.float64], level: Level) -> NDArray[np.float64]:
    if level == "nominal":
        return 1.0 - np.eye(len(values))
    # Ordinal: two values are as far apart as ratings lie between them, their own counted half.
    places = values if level == "interval" else np.cumsum(totals) - totals / 2
    return np.asarray((places[:, None] - places[None, :]) ** 2)


def tally(ratings: Mapping[int, Sequence[int]], categories: Sequence[int]) -> NDArray[np.int64]:
    """Count each item's ratings by category: the form that `fleiss_kappa` takes, a row an item."""
    rows = [[list(values).count(category) for category in categories] for values in ratings.values()]
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(categories))
