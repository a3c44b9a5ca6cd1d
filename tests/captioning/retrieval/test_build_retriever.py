import numpy as np
import pyarrow.compute as pc
import pytest
from safetensors.numpy import save_file

from photocritic import tables
from photocritic.captioning import load_predictor
from photocritic.captioning.retrieval.build_retriever import build
from photocritic.config import Decoding, FusedFeatures, RetrieveParams, Retriever
from photocritic.core.errors import TrainingError
from photocritic.core.paths import PARTS

DECODING = Decoding(strategy="greedy")


def built(world, out, method="assoc", captions="filtered", rerank=None, fused=None, network=None, **changes):
    given = {"captions": world.captions, "edges": out.parent / "edges.parquet"} | changes.pop("tables", {})
    features = "both" if fused else "weak"
    outcome = build(
        "one",
        Retriever(method=method, captions=captions, features=features, rerank=rerank),
        RetrieveParams(**changes),
        images=world.images,
        features=world.features,
        network=network or out,
        fused=fused,
        out=out,
        **given,
    )
    return outcome, load_predictor(out)


def of_split(world, split):
    return [row["image_id"] for row in tables.load("images", world.images).to_pylist() if row["split"] == split]


def words(world, image):
    return "a {} {} on the {}".format(*world.shown[image])


@pytest.mark.parametrize("method", ["instance", "assoc"])
def test_photographs_get_the_captions_of_similar_ones(world, tmp_path, method):
    _, predictor = built(world, tmp_path / "out", method)
    ids = of_split(world, "test")
    asked = np.stack([world.vectors[image] for image in ids]).astype(np.float32)[:, None]
    found = [one.text for one in predictor.predict(asked, DECODING)]
    assert np.mean([text == words(world, image) for text, image in zip(found, ids, strict=True)]) > 0.95


def test_only_training_photographs_are_indexed(world, tmp_path):
    outcome, predictor = built(world, tmp_path / "out")
    training = of_split(world, "train")
    assert sorted(predictor.graph.image_ids) == sorted(training)
    assert outcome.metrics["photographs"] == len(training)
    assert outcome.metrics["captions"] == len({words(world, image) for image in training})
    for row, image in enumerate(predictor.graph.image_ids):
        np.testing.assert_array_equal(predictor.index.vectors[row], world.vectors[image].astype(np.float32))


def test_sigma_is_the_best_on_validation_photographs(world, tmp_path):
    outcome, predictor = built(world, tmp_path / "out")
    curve = {row["sigma"]: row["bleu_1_no_bp"] for row in outcome.plots["sigma"]}
    assert 0.0 in curve  # all of a caption's photographs
    assert outcome.metrics["val_bleu_1_no_bp"] == max(curve.values()) == curve[outcome.metrics["sigma"]]
    assert float(predictor.settings.sigma or 0) == outcome.metrics["sigma"]


def test_a_sigma_that_is_given_is_taken(world, tmp_path):
    for sigma, taken in ((4, 4), ("all", None)):
        outcome, predictor = built(world, tmp_path / str(sigma), sigma=sigma)
        assert predictor.settings.sigma == taken
        assert outcome.metrics["sigma"] == (taken or 0)
        assert not outcome.plots


def test_without_validation_captions_all_photographs_count(make_world, tmp_path, caplog):
    world = make_world(tmp_path / "world", splits=("train", "test"), copies=2)
    outcome, predictor = built(world, tmp_path / "out")
    assert predictor.settings.sigma is None
    assert "val_bleu_1_no_bp" not in outcome.metrics
    assert "no validation photograph has captions" in caplog.text


def test_repeated_captions_are_those_of_the_association_graph(world, tmp_path):
    training, held_back = of_split(world, "train")[:3], of_split(world, "test")[0]
    wordings = ["A dog runs.", "The dog is running!", "The dog is running!"]
    rows = [
        {"form": "dog run", "image_id": image, "comment_id": str(number), "text": text, "type": "original"}
        for number, (image, text) in enumerate(zip([*training, held_back], [*wordings, "Dogs run"], strict=True))
    ]
    tables.save("edges", tmp_path / "edges.parquet", tables.from_rows("edges", rows))
    outcome, predictor = built(world, tmp_path / "out", captions="repeated", sigma=2)
    assert predictor.graph.captions == ["the dog is running"]
    assert predictor.graph.image_ids == training
    assert outcome.metrics["associations"] == 3


def test_affinities_are_of_one_of_two_fused_kinds(world, tmp_path):
    for name, width in zip(PARTS, (3, 8), strict=True):
        (tmp_path / "both" / name).mkdir(parents=True)
        save_file({"mean": np.zeros(width, np.float32)}, tmp_path / "both" / name / "weights.safetensors")
    fused = FusedFeatures(first="weak", second="fisher")
    for rerank, channels in ((None, (0, 11)), ("weak", (0, 3)), ("fisher", (3, 11))):
        _, predictor = built(world, tmp_path / "out", rerank=rerank, fused=fused, network=tmp_path / "both", sigma=1)
        assert predictor.settings.channels == channels


def test_a_corpus_without_training_captions_is_refused(world, tmp_path):
    empty = tmp_path / "captions.parquet"
    table = tables.load("captions", world.captions)
    tables.save(
        "captions", empty, table.filter(pc.is_in(table["image_id"], pc.cast(of_split(world, "test"), "string")))
    )
    with pytest.raises(TrainingError, match="no filtered caption of a training image"):
        built(world, tmp_path / "out", tables={"captions": empty})
    assert not (tmp_path / "out").exists()


def test_an_empty_graph_is_refused(world, tmp_path):
    tables.save("edges", tmp_path / "edges.parquet", tables.from_rows("edges", []))
    with pytest.raises(TrainingError, match=r"retrievers.one: no caption .* association graph; choose a looser"):
        built(world, tmp_path / "out", captions="repeated")
