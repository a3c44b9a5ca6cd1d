"""How well a critique model separates informative comments from others: measures, intervals and a learning curve."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from photocritic.core import logs
from photocritic.filtering.critique.critique_fit import FOLDS, cross_validate
from photocritic.filtering.critique.critique_inputs import Inputs
from photocritic.filtering.critique.word_table import WordTable
from photocritic.filtering.score_threshold import probability_threshold

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Row = dict[str, Any]

SHORT = 12  # words of a short comment, at most: length does not separate those
_RESAMPLED = 1000  # times the images are drawn anew for an interval
_INTERVAL = (2.5, 97.5)  # percent
CURVE = (50, 100, 200, 400, 800, 1600)  # judged comments of the learning curve


def quality(
    informative: Bools, probabilities: Floats, lengths: NDArray[np.int64], groups: NDArray[np.int64]
) -> list[Row]:
    """Measure probabilities by judgements.

    Parameters
    ----------
    informative : ndarray of bool, (N,)
        What people say.
    probabilities : ndarray of float64, (N,)
        What a model says that has not seen the comment's group.
    lengths : ndarray of int64, (N,)
        Words of each comment.
    groups : ndarray of int64, (N,)
        Images; they are drawn, with their comments, for the intervals (bootstrap).

    Returns
    -------
    list of dict
        `measure`, `value`, `low` and `high` (95% interval): precision, recall and F1 of the comments kept at the
        threshold `auto`, the area under the ROC curve of all and of short comments, and F1 of keeping everything.
    """
    kept = probabilities >= probability_threshold("auto", probabilities)
    rng = np.random.default_rng(0)
    members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    draws = [np.arange(len(informative))]
    draws += [
        np.concatenate([members[one] for one in rng.integers(0, len(members), len(members))]) for _ in range(_RESAMPLED)
    ]
    found = [_measures(informative[of], probabilities[of], kept[of], lengths[of]) for of in draws]
    rows = []
    for name, value in found[0].items():
        values = np.array([one[name] for one in found[1:]])
        low, high = np.nanpercentile(values, _INTERVAL) if np.isfinite(values).any() else (np.nan, np.nan)
        rows.append({"measure": name, "value": value, "low": float(low), "high": float(high)})
    return rows


def _measures(informative: Bools, probabilities: Floats, kept: Bools, lengths: NDArray[np.int64]) -> dict[str, float]:
    right = float((kept & informative).sum())
    short = lengths <= SHORT
    return {
        "precision": right / max(float(kept.sum()), 1.0),
        "recall": right / max(float(informative.sum()), 1.0),
        "F1": 2 * right / max(float(kept.sum() + informative.sum()), 1.0),
        "AUC": area_under_curve(informative, probabilities),
        f"AUC, at most {SHORT} words": area_under_curve(informative[short], probabilities[short]),
        "F1 of keeping all": 2 * float(informative.mean()) / (1 + float(informative.mean())),
    }


def area_under_curve(informative: Bools, scores: Floats) -> float:
    """Return the area under the ROC curve: how often an informative comment is above another one; nan without both."""
    from scipy.stats import rankdata

    kept, others = int(informative.sum()), int((~informative).sum())
    if not kept or not others:
        return float("nan")
    above = rankdata(scores)[informative].sum() - kept * (kept + 1) / 2  # Mann and Whitney's U
    return float(above / (kept * others))


def learning_curve(table: WordTable, judged: Inputs, worth: Floats, groups: NDArray[np.int64], seed: int) -> list[Row]:
    """Measure models that learn from few judged comments and from many, on all others, by cross-validation.

    Returns
    -------
    list of dict
        `judged`, `AUC` and `F1` (at the threshold `auto`) for each size of `CURVE` that the folds have comments for,
        and at last for all.
    """
    all_of_fold = len(worth) * (FOLDS - 1) // FOLDS
    sizes = [*(size for size in CURVE if size < all_of_fold), all_of_fold]
    rows = []
    with logs.counter("learning curve", len(sizes), unit="sizes") as advance:
        for size in sizes:
            probabilities = cross_validate(table, judged, worth, groups, seed, most=size)
            kept = probabilities >= probability_threshold("auto", probabilities)
            found = _measures(worth > 0.5, probabilities, kept, np.zeros(len(worth), np.int64))
            rows.append({"judged": size, "AUC": found["AUC"], "F1": found["F1"]})
            advance(1)
    return rows
