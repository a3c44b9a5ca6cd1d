"""Every engine keeps the same contract."""

import os
import sys

import numpy as np
import pytest
from scipy import sparse

from photocritic.config import LdaParams
from photocritic.core.errors import ParamsError
from photocritic.topics import TopicModel, engines
from photocritic.topics.document_terms import Documents

SUBJECTS, EACH = 3, 6


@pytest.fixture(scope="module")
def documents() -> Documents:
    random = np.random.default_rng(0)
    counts = np.zeros((90, SUBJECTS * EACH), dtype=np.int64)
    for row in range(90):
        own = row % SUBJECTS if row < 60 else 0  # the first subject is the largest
        np.add.at(counts[row], own * EACH + random.integers(0, EACH, 8), 1)
    terms = [f"{chr(97 + column // EACH)}{column % EACH}" for column in range(SUBJECTS * EACH)]
    return Documents([f"i{row:02d}" for row in range(90)], terms, sparse.csr_array(counts))


@pytest.fixture(params=engines.available())
def params(request: pytest.FixtureRequest) -> LdaParams:
    pytest.importorskip(request.param)
    return LdaParams(engine=request.param, topics=SUBJECTS, passes=100)


def test_both_are_there() -> None:
    assert engines.available() == ["gensim", "tomotopy"]


def test_topics_are_the_subjects_and_the_largest_comes_first(documents: Documents, params: LdaParams) -> None:
    model = engines.fit(documents, params, seed=1)
    first = ["".join(sorted({term[0] for term, _ in entry["terms"][:EACH]})) for entry in model.summary()]
    assert sorted(first) == ["a", "b", "c"]
    assert first[0] == "a"
    assert model.infer(["b0", "b3", "b5", "b5"]).argmax() == first.index("b")
    assert model.infer(["b0", "b3", "b5", "b5"]).max() > 0.6


def test_pseudo_counts_hold_every_term_of_the_corpus_once(documents: Documents, params: LdaParams) -> None:
    model = engines.fit(documents, params, seed=1)
    prior = model.pseudo_counts.min()
    assert prior > 0
    np.testing.assert_allclose(model.pseudo_counts.sum(axis=0), documents.frequencies(), atol=1.5)
    assert model.alpha.shape == (SUBJECTS,)
    assert model.alpha.min() > 0


def test_equal_seeds_give_equal_topics_and_others_do_not(documents: Documents, params: LdaParams) -> None:
    def fit(seed: int) -> TopicModel:
        return engines.fit(documents, params.model_copy(update={"passes": 3}), seed)

    one, same, other = fit(1), fit(1), fit(2)
    np.testing.assert_array_equal(one.pseudo_counts, same.pseudo_counts)
    np.testing.assert_array_equal(one.alpha, same.alpha)
    assert not np.array_equal(one.pseudo_counts, other.pseudo_counts)


def test_tomotopys_parts_give_equal_topics_on_one_core_and_on_all(
    documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tomotopy")
    monkeypatch.setattr("photocritic.topics.engines.tomotopy.TOKENS", 100)  # of 720
    params, all_cores = LdaParams(engine="tomotopy", topics=SUBJECTS, passes=10), os.sched_getaffinity(0)
    many = engines.fit(documents, params, seed=1)
    os.sched_setaffinity(0, {min(all_cores)})
    try:
        one = engines.fit(documents, params, seed=1)
    finally:
        os.sched_setaffinity(0, all_cores)
    np.testing.assert_array_equal(many.pseudo_counts, one.pseudo_counts)


def test_an_unknown_engine_is_refused_with_those_that_are_known(documents: Documents) -> None:
    with pytest.raises(ParamsError, match=r"lda\.engine: .*'mallet'.* gensim, tomotopy"):
        engines.fit(documents, LdaParams(engine="mallet"), seed=1)


def test_without_tomotopy_it_says_what_to_install(documents: Documents, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tomotopy", None)
    with pytest.raises(ParamsError, match=r"pip install tomotopy") as error:
        engines.fit(documents, LdaParams(engine="tomotopy", topics=SUBJECTS), seed=1)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["iterations", "chunksize"])
def test_a_parameter_that_an_engine_lacks_is_not_ignored(documents: Documents, name: str) -> None:
    with pytest.raises(ParamsError, match=rf"lda\.{name}: the engine tomotopy has no"):
        engines.fit(documents, LdaParams.model_validate({"engine": "tomotopy", name: 50}), seed=1)
