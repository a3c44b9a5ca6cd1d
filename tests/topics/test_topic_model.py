"""The topic model alone: inference, coherence, and the folder on disk."""

import json
from pathlib import Path

import numpy as np
import pytest
from gensim.models import LdaModel
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from photocritic.core.errors import PhotocriticError
from photocritic.topics import TopicModel, quality

VOCABULARY = [f"w{n}" for n in range(12)]


@pytest.fixture(scope="module")
def model() -> TopicModel:
    counts = np.full((3, 12), 0.1)
    for topic in range(3):
        counts[topic, topic * 4 : topic * 4 + 4] = 50.0
    return TopicModel(VOCABULARY, counts, np.full(3, 0.2))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([*VOCABULARY, "unknown"]), max_size=20))
def test_inference_gives_a_distribution_whatever_the_order(ngrams: list[str]) -> None:
    shape = np.random.default_rng(0).gamma(1.0, size=(3, 12)) + 0.1
    fitted = TopicModel(VOCABULARY, shape, np.full(3, 0.2))
    found = fitted.infer(ngrams)
    assert found.min() > 0
    assert found.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(found, fitted.infer(list(reversed(ngrams))), atol=1e-9)


def test_unknown_ngrams_give_the_prior(model: TopicModel) -> None:
    np.testing.assert_allclose(model.infer(["nothing"]), [1 / 3] * 3)


def test_a_comment_about_one_topic_is_found_there(model: TopicModel) -> None:
    assert model.infer(["w4", "w5", "w5", "w7"])[1] > 0.8


def test_a_document_is_labelled_alike_alone_and_in_a_batch(model: TopicModel) -> None:
    counts = np.random.default_rng(1).integers(0, 4, (40, 12))
    together = model.distributions(sparse.csr_array(counts))
    alone = np.concatenate([model.distributions(sparse.csr_array(row[None])) for row in counts])
    np.testing.assert_allclose(together, alone, atol=1e-12)


def test_inference_agrees_with_gensim() -> None:
    random = np.random.default_rng(2)
    corpus = [[(int(w), int(n)) for w, n in enumerate(random.integers(0, 5, 12)) if n] for _ in range(60)]
    lda = LdaModel(
        corpus, num_topics=3, passes=10, random_state=3, dtype=np.float64, gamma_threshold=1e-6, iterations=500
    )
    ours = TopicModel(VOCABULARY, lda.state.get_lambda(), np.asarray(lda.alpha))
    lda.sync_state()
    gamma, _ = lda.inference(corpus)
    theirs = gamma / gamma.sum(axis=1, keepdims=True)
    rows = [r for r, document in enumerate(corpus) for _ in document]
    columns, data = zip(*[pair for document in corpus for pair in document], strict=True)
    found = ours.distributions(sparse.csr_array((data, (rows, columns)), shape=(60, 12)))
    assert np.median(np.abs(found - theirs).max(axis=1)) < 0.01


def test_saved_and_loaded_it_is_the_same(model: TopicModel, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    loaded = TopicModel.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.infer(["w1", "w9"]), model.infer(["w1", "w9"]))
    shown = json.loads((tmp_path / "model" / "topics.json").read_text())
    assert [entry["topic"] for entry in shown] == [0, 1, 2]
    assert {term for term, _ in shown[1]["terms"][:4]} == {"w4", "w5", "w6", "w7"}
    (tmp_path / "model" / "vocabulary.json").write_text("[]")
    with pytest.raises(PhotocriticError, match="do not belong together"):
        TopicModel.load(tmp_path / "model")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[", b"3", b"[1, 2]", b"{}"])
def test_a_damaged_vocabulary_is_told_in_one_line(tmp_path: Path, content: bytes) -> None:
    TopicModel(["a", "b"], np.ones((2, 2)), np.ones(2)).save(tmp_path / "model")
    (tmp_path / "model" / "vocabulary.json").write_bytes(content)
    with pytest.raises(PhotocriticError, match=r"not a topic model|do not belong together") as error:
        TopicModel.load(tmp_path / "model")
    assert "\n" not in str(error.value)


def test_a_missing_model_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(PhotocriticError, match="not a topic model") as error:
        TopicModel.load(tmp_path)
    assert "\n" not in str(error.value)


def test_coherence_knows_words_that_stand_together() -> None:
    together = sparse.csr_array(np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]))
    terms = np.array([[0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5]])
    assert quality.npmi(terms, together, top=2).tolist() == [1.0, -1.0]
    np.testing.assert_allclose(quality.u_mass(terms, together, top=2), [np.log(3 / 2), 0.0])
    assert quality.diversity(terms, top=2) == 1.0
    assert quality.effective_topics(np.full((5, 4), 0.25)) == pytest.approx(4.0)
