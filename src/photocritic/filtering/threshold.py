"""Where to cut a score: a number, a share to keep, or the valley of the score's own distribution."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_BINS = 1024


def resolve(threshold: float | str, scores: Floats) -> float:
    """Give the least score that is kept.

    Parameters
    ----------
    threshold : float or str
        A score, "auto" (`valley`), or "keep S": the threshold that keeps the share S of the scores.
    scores : ndarray, (N,)
        The corpus's scores.

    Returns
    -------
    float
        0 where a share or a valley is asked of no scores.
    """
    if isinstance(threshold, float | int):
        return float(threshold)
    if not len(scores):
        return 0.0
    if threshold == "auto":
        return valley(scores)
    share = float(threshold.removeprefix("keep "))
    kept = round(share * len(scores))
    return float(np.sort(scores)[len(scores) - kept]) if kept else float(np.nextafter(scores.max(), np.inf))


def valley(scores: Floats) -> float:
    """Split scores in two such that the variance of log(1 + score) within the two parts is least.

    Safe and informative comments make two humps on a logarithmic scale; the cut needs no labels.

    References
    ----------
    Otsu 1979, A threshold selection method from gray-level histograms, Eq. 14-18.
    """
    logs = np.log1p(np.maximum(scores, 0.0))
    if logs.min() == logs.max():
        return float(scores.min())
    counts, edges = np.histogram(logs, _BINS)
    centres = (edges[1:] + edges[:-1]) / 2
    below, moment = np.cumsum(counts)[:-1], np.cumsum(counts * centres)[:-1]
    above = len(logs) - below
    total = float((counts * centres).sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (total * below / len(logs) - moment) ** 2 / (below * above)
    best = np.flatnonzero(between >= np.nanmax(between) * (1 - 1e-9))  # several where nothing lies in the valley
    return float(np.expm1(edges[1:][best].mean()))
