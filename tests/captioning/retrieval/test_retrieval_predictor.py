"""Captions by retrieval are those that the papers' formulas choose, written out one photograph at a time."""

import json
from dataclasses import replace

import numpy as np
import pytest

from photocritic.captioning import CaptioningPipeline, Settings, load_predictor
from photocritic.captioning.retrieval import SETTINGS
from photocritic.captioning.retrieval.retrieval_predictor import RetrievalPredictor, RetrievalSettings
from photocritic.config import Decoding
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.core.files import sha256
from photocritic.retrieval.caption_graph import CaptionGraph
from photocritic.retrieval.vector_index import VectorIndex

RANDOM = np.random.default_rng(3)
PHOTOGRAPHS, CAPTIONS, WIDTH, K = 60, 25, 6, 8
PAIRS = sorted({(int(RANDOM.integers(CAPTIONS)), photograph) for photograph in range(PHOTOGRAPHS) for _ in range(2)})
VECTORS = RANDOM.normal(size=(PHOTOGRAPHS, WIDTH)).astype(np.float32)
ASKED = RANDOM.normal(size=(40, WIDTH)).astype(np.float32)
DECODING = Decoding(strategy="greedy")


def predictor(method="assoc", sigma=2, channels=(0, WIDTH), vectors=VECTORS):
    graph = CaptionGraph.of((f"{one}", f"caption {one}", f"{photograph:02d}") for one, photograph in PAIRS)
    rows = [int(name) for name in graph.image_ids]
    return RetrievalPredictor(graph, VectorIndex(vectors[rows]), RetrievalSettings(method, K, sigma, channels))


def members(caption):
    return [photograph for one, photograph in PAIRS if one == caption]


def captions_of(photograph):
    """The captions of a photograph, those of most photographs first."""
    return sorted((one for one, other in PAIRS if other == photograph), key=lambda one: -len(members(one)))


def similarity(query, photograph, channels=(0, WIDTH)):
    chosen = slice(*channels)
    return -float(((query[chosen].astype(float) - VECTORS[photograph][chosen]) ** 2).sum())


def assoc(query, sigma, channels=(0, WIDTH)):
    """Déjà 3: the captions of the K nearest photographs, ranked by Equation 2."""
    nearest = sorted(range(PHOTOGRAPHS), key=lambda photograph: -similarity(query, photograph))[:K]
    pool = [one for photograph in nearest for one in captions_of(photograph)]

    def affinity(caption):
        found = sorted((similarity(query, one, channels) for one in members(caption)), reverse=True)[:sigma]
        return sum(found) / len(found)

    best = max(pool, key=affinity)
    return f"caption {best}", affinity(best)


@pytest.mark.parametrize("sigma", [1, 2, 5, None])
@pytest.mark.parametrize("channels", [(0, WIDTH), (2, 4)])
def test_assoc_equals_brute_force(sigma, channels):
    found = predictor(sigma=sigma, channels=channels).predict(ASKED[:, None], DECODING)
    for query, caption in zip(ASKED, found, strict=True):
        text, affinity = assoc(query, sigma, channels)
        assert caption.text == text
        assert caption.logprob == pytest.approx(affinity)
        assert caption.tokens == tuple(text.split())


def test_instance_says_what_was_written_under_the_nearest_photograph():
    for query, caption in zip(ASKED, predictor("instance").predict(ASKED[:, None], DECODING), strict=True):
        nearest = max(range(PHOTOGRAPHS), key=lambda photograph: similarity(query, photograph))
        assert caption.text == f"caption {captions_of(nearest)[0]}"
        assert caption.logprob == pytest.approx(similarity(query, nearest))


@pytest.mark.parametrize("method", ["instance", "assoc"])
def test_a_photograph_has_the_same_caption_alone_and_among_others(method):
    together = predictor(method).predict(ASKED[:, None], DECODING)
    alone = [predictor(method).predict(ASKED[row : row + 1, None], DECODING)[0] for row in range(len(ASKED))]
    assert together == alone
    assert together == predictor(method).predict(ASKED[:, None], DECODING, batch_size=7)


@pytest.mark.parametrize("method", ["instance", "assoc"])
def test_captions_are_ranked_and_each_is_listed_once(method):
    for ranked in predictor(method).rank(ASKED):
        assert len(set(ranked.captions.tolist())) == len(ranked.captions) > 1
        assert (np.diff(ranked.affinities) <= 0).all()


def test_captions_are_found_with_their_nearest_photographs():
    source = predictor(sigma=None)
    for query, found, caption in zip(
        ASKED, source.find(ASKED, 3, 2), source.predict(ASKED[:, None], DECODING), strict=True
    ):
        assert len(found) == 3
        assert (found[0].caption, found[0].affinity) == (caption.text, caption.logprob)
        for one in found:
            own = members(int(one.caption.removeprefix("caption ")))
            nearest = sorted(own, key=lambda photograph: -similarity(query, photograph))[:2]
            assert one.image_ids == tuple(f"{photograph:02d}" for photograph in nearest)


def test_equal_photographs_are_told_apart_by_their_place():
    same = predictor(vectors=np.zeros_like(VECTORS))
    assert len({one.text for one in same.predict(ASKED[:, None], DECODING)}) == 1


def test_what_is_saved_is_loaded_as_any_captioner_and_predicts_the_same(tmp_path):
    source = predictor(sigma=None, channels=(1, 5))
    source.save(tmp_path / "one")
    again = load_predictor(tmp_path / "one")
    assert again.predict(ASKED[:, None], DECODING) == source.predict(ASKED[:, None], DECODING)
    again.save(tmp_path / "two")
    assert sha256(tmp_path / "one") == sha256(tmp_path / "two")


def test_the_pipeline_captions_with_it_whatever_is_asked_of_generators():
    consensus = Decoding(strategy="diverse", groups=3, consensus=5)
    settings = Settings(variant="assoc", captions="filtered", features="weak", seed=1, decoding=consensus)
    found = CaptioningPipeline(predictor(), settings).caption(ASKED[:, None])
    assert found == predictor().predict(ASKED[:, None], DECODING)


def test_features_of_another_width_are_refused():
    with pytest.raises(TrainingError, match=r"shape \(40, 1, 5\) do not fit an index of 6 numbers"):
        predictor().predict(ASKED[:, None, :5], DECODING)


def test_a_style_is_refused():
    with pytest.raises(ParamsError, match="no styles"):
        predictor().predict(ASKED[:, None], DECODING, style="romantic")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"method": "guess"}'])
def test_damaged_settings_are_named(tmp_path, content):
    predictor().save(tmp_path / "one")
    (tmp_path / "one" / SETTINGS).write_text(content)
    with pytest.raises(TrainingError, match=f"{SETTINGS}: damaged"):
        load_predictor(tmp_path / "one")


@pytest.mark.parametrize("change", [{"channels": [3, 2]}, {"channels": [0, 99]}, {"candidates": 0}, {"sigma": "all"}])
def test_settings_that_cannot_be_are_refused(tmp_path, change):
    predictor().save(tmp_path / "one")
    path = tmp_path / "one" / SETTINGS
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(TrainingError, match=f"{SETTINGS}: damaged"):
        load_predictor(tmp_path / "one")


def test_vectors_of_other_photographs_are_refused(tmp_path):
    one = predictor()
    replace(one, index=VectorIndex(VECTORS[:10])).save(tmp_path / "one")
    with pytest.raises(TrainingError, match="10 vectors for"):
        load_predictor(tmp_path / "one")
