from itertools import pairwise

import numpy as np
import pytest

from photocritic.retrieval.affinity import affinities, squared_distances


def brute_force(distances, starts, sigma):
    """Equation 2 as it is written: the mean similarity of the sigma nearest photographs of each caption."""
    found = []
    for begin, end in pairwise(starts):
        similarities = sorted((-one for one in distances[begin:end]), reverse=True)
        nearest = similarities if sigma is None else similarities[:sigma]
        found.append(sum(nearest) / len(nearest))
    return found


@pytest.mark.parametrize("sigma", [1, 2, 3, 100, None])
def test_affinities_equal_brute_force(sigma):
    random = np.random.default_rng(sigma or 0)
    sizes = random.integers(1, 9, 50)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    distances = random.random(starts[-1]).round(1)  # with ties
    np.testing.assert_allclose(affinities(distances, starts, sigma), brute_force(distances, starts, sigma))


def test_a_caption_with_fewer_photographs_counts_all_of_them():
    assert affinities(np.array([1.0, 3.0, 8.0]), np.array([0, 2, 3]), 5).tolist() == [-2.0, -8.0]


def test_distances_do_not_depend_on_what_else_is_compared():
    random = np.random.default_rng(1)
    vectors, query = random.random((40, 7)).astype(np.float32), random.random(7).astype(np.float32)
    alone = [squared_distances(query, vectors[row : row + 1])[0] for row in range(40)]
    assert squared_distances(query, vectors).tolist() == alone
    np.testing.assert_allclose(alone, ((vectors.astype(float) - query) ** 2).sum(1), rtol=1e-12)
