"""Learning which comments inform from judged ones, and how well that works, by cross-validation."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

from photocritic.filtering.critique.comment_signals import NAMES
from photocritic.filtering.critique.critique_inputs import Inputs
from photocritic.filtering.critique.critique_model import CritiqueModel
from photocritic.filtering.critique.word_table import WordTable

Floats = NDArray[np.float64]

_LEAST = 2  # judged comments that have a term, before it gets a weight of its own
_LANDMARKS = 1000  # judged comments that others are likened to, at most
# Scales of the inputs (how freely each kind may be used), and the inverse strength of regularisation: chosen by
# cross-validation on 1,750 judged comments.
SIGNAL_SCALE, _MEANING, _LIKENESS = 0.15, 0.07, 3.0
_STRENGTH = 3.0
FOLDS = 10


def fit_critique_model(table: WordTable, judged: Inputs, worth: Floats, seed: int) -> CritiqueModel:
    """Learn a model from judged comments.

    Parameters
    ----------
    table : WordTable
        What the inputs were computed by.
    judged : Inputs
        Of the judged comments.
    worth : ndarray of float64, (N,)
        The probability that each informs: 0 to 1, between where judges differ or hesitate.
    seed : int
        Of the choice of landmarks.

    References
    ----------
    Williams & Seeger 2001, Using the Nystroem method to speed up kernel machines; scikit-learn's Nystroem and
    LogisticRegression.
    """
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import LogisticRegression

    centre, deviation = judged.dense.mean(axis=0), judged.dense.std(axis=0)
    freedom = np.where(np.arange(len(centre)) < len(NAMES), SIGNAL_SCALE, _MEANING)
    scale = freedom / np.where(deviation > 0, deviation, np.inf)
    scaled = (judged.dense - centre) * scale
    gamma = 1 / (scaled.shape[1] * max(float(scaled.var()), 1e-12))
    kernel = Nystroem(n_components=min(_LANDMARKS, len(worth)), gamma=gamma, random_state=seed)
    likeness = kernel.fit_transform(scaled) * _LIKENESS
    terms, idf = _terms(judged)
    everything = sparse.hstack([judged.tfidf(terms, idf), sparse.csr_matrix(np.hstack([scaled, likeness]))]).tocsr()
    # A comment that is worth .9 counts as nine tenths of an informative one and one tenth of one that is not.
    regression = LogisticRegression(C=_STRENGTH, max_iter=3000).fit(
        sparse.vstack([everything, everything]),
        np.repeat([1, 0], len(worth)),
        sample_weight=np.concatenate([worth, 1 - worth]) + 1e-9,
    )
    of_terms, of_dense, of_likeness = np.split(regression.coef_[0], [len(terms), len(terms) + scaled.shape[1]])
    return CritiqueModel(
        table, bias=float(regression.intercept_[0]), centre=centre, scale=scale, weights=of_dense,
        landmarks=kernel.components_, landmark_weights=_LIKENESS * kernel.normalization_.T @ of_likeness, gamma=gamma,
        terms=terms, term_idf=idf, term_weights=of_terms,
    )  # fmt: skip


def cross_validate(
    table: WordTable, judged: Inputs, worth: Floats, groups: NDArray[np.int64], seed: int, most: int | None = None
) -> Floats:
    """Return for each judged comment the probability that it informs, by a model that has seen none of its group.

    Parameters
    ----------
    table, judged, worth, seed
        As of `fit_critique_model`.
    groups : ndarray of int64, (N,)
        Images, two at least: their comments are in one fold.
    most : int, optional
        Comments that each model learns from, at most: whole images, drawn at random.
    """
    from sklearn.model_selection import StratifiedGroupKFold

    folds = StratifiedGroupKFold(min(FOLDS, len(np.unique(groups))), shuffle=True, random_state=seed)
    rank = np.random.default_rng(seed).permutation(groups.max() + 1)[groups]
    log_odds = np.zeros(len(worth))
    for learned, left in folds.split(worth, worth > 0.5, groups):
        some = learned[np.argsort(rank[learned], kind="stable")[:most]]
        model = fit_critique_model(table, judged.rows(some), worth[some], seed)
        log_odds[left] = model.log_odds(judged.rows(left))
    return np.asarray(expit(log_odds))


def _terms(judged: Inputs) -> tuple[NDArray[np.int64], Floats]:
    """Return the terms that have weights, as sorted hashes, and their inverse document frequencies (smoothed)."""
    documents = np.bincount(judged.counts.indices, minlength=judged.counts.shape[1])
    terms = np.flatnonzero(documents >= _LEAST)
    return terms, np.log((1 + judged.counts.shape[0]) / (1 + documents[terms])) + 1
