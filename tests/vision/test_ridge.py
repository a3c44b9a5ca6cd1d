"""Ridge regression on vectors read in parts is scikit-learn's, and what it leaves out is left out."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge as SklearnRidge
from sklearn.linear_model import RidgeCV

from photocritic.vision import ridge
from photocritic.vision.ridge import PENALTIES, Ridge, fit_ridge

ROWS = np.array([0, 1, 3, 4, 6, 7, 8, 9, 11, 12, 13, 15])


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    random = np.random.default_rng(3)
    return (random.normal(size=(16, 50)) * np.linspace(0.2, 2.0, 50) + 1.5).astype(np.float32)


@pytest.fixture(scope="module")
def targets(vectors: np.ndarray) -> np.ndarray:
    random = np.random.default_rng(4)
    return (vectors[ROWS] @ random.normal(size=(50, 3)) + random.normal(size=(12, 3)) + [5.0, 0.0, -3.0]).astype(float)


@pytest.fixture(scope="module")
def fitted(vectors: np.ndarray, targets: np.ndarray) -> Ridge:
    return fit_ridge(vectors, ROWS, targets)


def test_a_row_is_predicted_by_a_map_fitted_without_it(vectors: np.ndarray, targets: np.ndarray, fitted: Ridge) -> None:
    for place, row in enumerate(ROWS):
        others = np.delete(np.arange(12), place)
        without = SklearnRidge(fitted.penalty).fit(vectors[ROWS[others]].astype(float), targets[others])
        expected = without.predict(vectors[[row]].astype(float))[0]
        np.testing.assert_allclose(fitted.left_out[place], expected, rtol=1e-3, atol=1e-3)


def test_penalty_and_map_are_those_of_scikit_learn(vectors: np.ndarray, targets: np.ndarray, fitted: Ridge) -> None:
    centred = vectors[ROWS] - vectors[ROWS].mean(axis=0)
    scale = (centred**2).sum() / 12
    reference = RidgeCV([scale * penalty for penalty in PENALTIES]).fit(vectors[ROWS].astype(float), targets)
    assert fitted.penalty == pytest.approx(reference.alpha_, rel=1e-5)
    np.testing.assert_allclose(fitted.weights.T, reference.coef_, atol=1e-4)
    np.testing.assert_allclose(fitted.bias, reference.intercept_, atol=1e-3)


def test_however_many_columns_are_read_at_once_the_map_is_the_same(
    vectors: np.ndarray, targets: np.ndarray, fitted: Ridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ridge, "_COLUMNS", 7)
    parts = fit_ridge(vectors, ROWS, targets)
    np.testing.assert_allclose(parts.weights, fitted.weights, atol=1e-3)
    np.testing.assert_allclose(parts.left_out, fitted.left_out, atol=1e-2)
