"""C_V against the reference implementation."""

import numpy as np
import pytest
from gensim.corpora import Dictionary
from gensim.models import CoherenceModel
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.topics.c_v import c_v

TERMS = 40


def reference(best: np.ndarray, texts: list[np.ndarray], window: int) -> list[float]:
    written = [[f"w{term}" for term in text] for text in texts]
    dictionary = Dictionary([*written, [f"w{term}" for term in range(TERMS)]])
    topics = [[f"w{term}" for term in row] for row in best]
    model = CoherenceModel(
        topics=topics, texts=written, dictionary=dictionary, coherence="c_v", window_size=window, processes=1
    )
    return list(model.get_coherence_per_topic())


def corpus(lengths: list[int], seed: int) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    return [(random.zipf(1.3, length) % TERMS).astype(np.int32) for length in lengths]


def counted(best: np.ndarray, texts: list[np.ndarray], window: int) -> np.ndarray:
    """C_V of one topic by the definition, window by window."""
    seen = [set(text[start : start + window]) for text in texts for start in range(max(len(text) - window, 0) + 1)]
    share = [[np.mean([{one, two} <= held for held in seen]) for one in best] for two in best]
    npmi = np.array([
        [np.log((share[i][j] + 1e-12) / (share[i][i] * share[j][j])) / -np.log(share[i][j] + 1e-12) for j in places]
        for places in [range(len(best))] for i in places
    ])  # fmt: skip
    whole = npmi.sum(axis=0)
    return np.mean([row @ whole / np.linalg.norm(row) / np.linalg.norm(whole) for row in npmi])


def test_it_equals_gensims_on_documents_within_the_window() -> None:
    texts = corpus([*range(1, 60), 109, 110], seed=1)
    best = np.random.default_rng(2).permuted(np.tile(np.arange(12), (6, 1)), axis=1)[:, :5]
    np.testing.assert_allclose(c_v(best, texts), reference(best, texts, 110), atol=1e-6)


def test_it_equals_gensims_on_longer_documents_whose_terms_do_not_return() -> None:
    random = np.random.default_rng(3)
    texts = [random.permutation(TERMS)[:length].astype(np.int32) for length in range(5, TERMS)]
    best = np.arange(20, dtype=np.int64).reshape(4, 5)
    np.testing.assert_allclose(c_v(best, texts, 10), reference(best, texts, 10), atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 30), min_size=5, max_size=15), st.integers(1, 12), st.integers(0, 99))
def test_it_is_what_the_definition_says(lengths: list[int], window: int, seed: int) -> None:
    texts = corpus([*lengths, 30], seed)
    present = np.unique(np.concatenate(texts))[:4].astype(np.int64)
    assert c_v(present[None], texts, window)[0] == pytest.approx(counted(present, texts, window), abs=1e-9)


def test_blocks_of_documents_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = corpus([30] * 20, seed=4)
    best = np.arange(8, dtype=np.int64).reshape(2, 4)
    whole = c_v(best, texts, 7)
    monkeypatch.setattr("photocritic.topics.c_v._BLOCK", 50)
    np.testing.assert_allclose(c_v(best, texts, 7), whole, atol=1e-12)


def test_a_term_that_stands_nowhere_is_company_to_none() -> None:
    texts = [np.array([0, 1], np.int32), np.array([2], np.int32)]
    assert np.isfinite(c_v(np.array([[0, 1, 9]]), texts)).all()
