"""Nearest neighbours by angle."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.core.errors import PhotocriticError
from photocritic.retrieval.cosine_index import CosineIndex


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 30), st.integers(1, 6), st.integers(0, 1000))
def test_equals_exhaustive_search(rows: int, count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    vectors, query = random.normal(size=(rows, 5)), random.normal(size=(1, 5))
    identities = [f"i{random.integers(0, 8)}" for _ in range(rows)]
    (found,) = CosineIndex(identities, vectors).search(query, count, ["i0"])
    cosines = vectors @ query[0] / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query)
    best: dict[str, float] = {}
    for row in np.argsort(-cosines):
        if identities[row] != "i0":
            best.setdefault(identities[row], cosines[row])
    assert [identities[n.row] for n in found] == list(best)[:count]
    np.testing.assert_allclose([n.similarity for n in found], list(best.values())[:count], atol=1e-5)


def test_a_zero_vector_is_similar_to_nothing() -> None:
    (found,) = CosineIndex(["a", "b"], np.eye(2)).search(np.zeros((1, 2)), 2)
    assert [neighbour.similarity for neighbour in found] == [0.0, 0.0]


def test_saved_and_loaded_it_answers_alike(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    index = CosineIndex([f"ä{n}" for n in range(20)], random.normal(size=(20, 4)))
    index.save(tmp_path / "index")
    queries = random.normal(size=(5, 4))
    assert CosineIndex.load(tmp_path / "index").search(queries, 3) == index.search(queries, 3)
    (tmp_path / "index" / "index.faiss").write_bytes(b"broken")
    with pytest.raises(PhotocriticError, match="not a retrieval index") as error:
        CosineIndex.load(tmp_path / "index")
    assert "\n" not in str(error.value)


def test_nothing_to_search_gives_no_answers() -> None:
    assert CosineIndex([], np.empty((0, 3))).search(np.ones((2, 3)), 4) == [[], []]
