"""Ridge regression of many targets on very long vectors, with what it predicts of each row when fitted without it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

PENALTIES = tuple(float(value) for value in 10.0 ** np.arange(-2.0, 3.1, 0.5))  # in mean variances of a direction
_COLUMNS = 2048  # read of all rows at once

Vectors = NDArray[np.floating]
Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Ridge:
    """A linear map from vectors to targets.

    Attributes
    ----------
    weights : ndarray of float32, (F, T)
        By number of a vector and target.
    bias : ndarray of float32, (T,)
        Of each target.
    left_out : ndarray of float64, (N, T)
        What the map, fitted without a row, predicts of that row.
    penalty : float
        Added to the variances of all directions.
    """

    weights: NDArray[np.float32]
    bias: NDArray[np.float32]
    left_out: Doubles
    penalty: float


def fit_ridge(vectors: Vectors, rows: NDArray[np.int64], targets: Doubles) -> Ridge:
    """Fit ridge regression, its penalty chosen by the squared error on left out rows.

    Rows are compared by their products, which takes memory with their number squared; the vectors are read a few
    columns at a time. `sklearn.linear_model.RidgeCV` computes the same from vectors held in memory in float64.

    Parameters
    ----------
    vectors : ndarray, (M, F)
        In memory or mapped.
    rows : ndarray of int64, (N,)
        The vectors to fit to.
    targets : ndarray of float64, (N, T)
        Of those rows.

    Returns
    -------
    Ridge
        The map, with one penalty for all targets.

    References
    ----------
    Allen 1974, The Relationship between Variable Selection and Data Augmentation and a Method for Prediction: the
    prediction of a row left out, from its residual and its leverage.
    """
    products = np.zeros((len(rows), len(rows)))
    for _, _, block in _columns(vectors, rows):
        products += (narrow := block.astype(np.float32)) @ narrow.T  # twice as fast, and summed in float64
    centred = targets - targets.mean(axis=0)
    variances, directions = linalg.eigh(products, overwrite_a=True, driver="evd")
    along = directions.T @ centred
    scale = variances.mean()
    errors = [_left_out_residuals(variances, directions, along, scale * penalty) for penalty in PENALTIES]
    chosen = int(np.argmin([float((error**2).sum()) for error in errors]))
    penalty = scale * PENALTIES[chosen]
    dual = directions @ (along / (np.maximum(variances, 0.0) + penalty)[:, None])
    weights = np.empty((vectors.shape[1], targets.shape[1]), dtype=np.float32)
    bias = targets.mean(axis=0)
    for start, means, block in _columns(vectors, rows):
        part = block.T @ dual
        weights[start : start + len(part)] = part
        bias -= means @ part
    return Ridge(weights, bias.astype(np.float32), targets - errors[chosen], float(penalty))


def _left_out_residuals(variances: Doubles, directions: Doubles, along: Doubles, penalty: float) -> Doubles:
    """Compute what the targets surpass the predictions by that are fitted without their rows, (N, T).

    The mean is fitted too: it has a leverage of 1 / N.
    """
    kept = penalty / (np.maximum(variances, 0.0) + penalty)
    residuals = directions @ (along * kept[:, None])
    leverage = 1.0 - (directions**2) @ kept + 1.0 / len(directions)
    return residuals / (1.0 - leverage)[:, None]


def _columns(vectors: Vectors, rows: NDArray[np.int64]) -> Iterator[tuple[int, Doubles, Doubles]]:
    """Read the rows a few columns at a time: the number of the first of them, their means, and what surpasses those."""
    for start in range(0, vectors.shape[1], _COLUMNS):
        block = np.asarray(vectors[:, start : start + _COLUMNS][rows], dtype=np.float64)
        means = block.mean(axis=0)
        yield start, means, block - means
