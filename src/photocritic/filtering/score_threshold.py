"""Where scores are cut: a number, a share, the valley between two humps, or what probabilities promise."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_BINS = 1024  # of the histogram whose valley is the threshold


def share_threshold(share: float, scores: Floats) -> float:
    """Return the threshold that keeps a share of the scores; above them all where that is no score."""
    kept = round(share * len(scores))
    return float(np.sort(scores)[len(scores) - kept]) if kept else float(np.nextafter(scores.max(), np.inf))


def probability_threshold(wanted: str, probabilities: Floats) -> float:
    """Return the least probability that is kept, by what the probabilities say of the outcome.

    Parameters
    ----------
    wanted : str
        `auto`: the F1 to be expected is largest; `precision P`: as many as possible, with a precision of P to be
        expected; `recall R`: as few as possible, with a recall of R to be expected.
    probabilities : ndarray, (N,)
        Calibrated probabilities that a comment informs, one at least.

    References
    ----------
    Lipton et al. 2014, Optimal Thresholding of Classifiers to Maximize F1 Measure.
    """
    ordered = np.sort(probabilities)[::-1]
    kept, found = np.arange(1, len(ordered) + 1), np.cumsum(ordered)
    name, _, value = wanted.partition(" ")
    if name == "precision":
        enough = np.flatnonzero(found / kept >= float(value))
        return float(ordered[enough[-1]]) if len(enough) else float(np.nextafter(ordered[0], np.inf))
    if name == "recall":
        return float(ordered[np.searchsorted(found, float(value) * found[-1])])
    return float(ordered[np.argmax(2 * found / (kept + found[-1]))])


def valley(scores: Floats) -> float:
    """Return the score that splits scores in two such that the variance of log(1 + score) within the parts is least.

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
