"""The presets aic, erg, cc, pccd and flickr8k, shrunken in size and in nothing else, from photographs to captions."""

from dataclasses import replace

import pyarrow.parquet as pq
import pytest
import torch
import torchvision
from safetensors.torch import save_file

from photocritic import config, validation
from photocritic.captioning import NEIGHBOURS, train
from photocritic.captioning.retrieval.build_retriever import build
from photocritic.config import presets
from photocritic.evaluation.prediction import Corpus, predict
from photocritic.filtering.association import GraphFiles, associate
from photocritic.filtering.filter_comments import filter_comments
from photocritic.ingest import ingest
from photocritic.topics import train_lda
from photocritic.vision import detectors
from photocritic.vision.fusion import fuse
from photocritic.vision.pretraining import pretrain

pytestmark = pytest.mark.xdist_group("papers_presets")  # one corpus and one set of weights for all

DETECTOR = "fasterrcnn_mobilenet_v3_large_320_fpn"
SIZES = {
    "associate.images": 1,
    "lda.passes": 2,
    "lda.min_documents": 1,
    "cnn_pretrain.backbone": "resnet18",
    "cnn_pretrain.image_size": 64,
    "cnn_pretrain.epochs": 1,
    "lstm_train.hidden": 16,
    "lstm_train.embedding": 16,
    "lstm_train.epochs": 1,
}
NOT_OF_SAMPLE = ["image_size", "image_text"]  # no photograph of the sample is so large, or has labels as CC's
OWN = {
    "aic": {},
    "erg": {"cnn_pretrain.detector": DETECTOR, "cnn_pretrain.detector_size": 64, "cnn_pretrain.regions": 4},
    "cc": {"cnn_pretrain.grid": 2, "lstm_train.min_count": 1},
    "pccd": {"lstm_train.min_count": 1},
    "flickr8k": {"cnn_pretrain.fisher_size": 64, "cnn_pretrain.fisher_components": 2, "lstm_train.min_count": 1},
}
ASPECTS = {"color_lighting": "color", "subject_of_photo": "subject"}  # of PCCD, as the sample has them
MODELS = {
    "aic": {"neuraltalk2"},
    "erg": {"neuraltalk2", "up_down", "style_net", "san"},
    "cc": {"rnn", "transformer"},
    "pccd": {"neuraltalk2", "aspect_fusion"},
    "flickr8k": {"show_tell"},
}


@pytest.fixture(scope="module", autouse=True)
def without_gates():
    """Pass every gate: they have tests of their own, and cost a second each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validation, "check", lambda *_, **__: None)
        yield


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    """Write untrained weights of the two networks that come trained."""
    folder = tmp_path_factory.mktemp("weights")
    torch.manual_seed(0)
    save_file(detectors.build(DETECTOR, 5).state_dict(), folder / "detector.safetensors")
    save_file(torchvision.models.resnet18().state_dict(), folder / "resnet18.safetensors")
    return {
        "cnn_pretrain.detector_weights": str(folder / "detector.safetensors"),
        "cnn_pretrain.weights": str(folder / "resnet18.safetensors"),
    }


def params_of(name, target, weights):
    """Write the preset's params.yaml with small sizes, and read it."""
    presets.apply(
        name, str(target.parent) if name in ("pccd", "flickr8k") else None, target, SIZES | OWN[name] | weights
    )
    for aspect, ours in ASPECTS.items():
        target.write_text(target.read_text().replace(aspect, ours))
    chain = config.load(target).filter.model_dump(mode="json")["chain"]
    chain = [{"entity_types": {"more_than": 1}} if "entity_types" in one else one for one in chain]
    presets.apply(None, None, target, {"filter.chain": [one for one in chain if one not in NOT_OF_SAMPLE]})
    return config.load(target)


@pytest.fixture(scope="module")
def corpus(root, tmp_path_factory):
    """Ingest a small sample, which all presets start from."""
    folder = tmp_path_factory.mktemp("corpus")
    params = config.check({"ingest": {"source": str(root / "src/photocritic/sample"), "sample_images": 32}})
    ingest(params.ingest, folder / "in")
    names = ("images.parquet", "references.parquet", "shards")
    images, references, shards = (folder / "in" / name for name in names)
    return Corpus(images, folder / "captions.parquet", references, shards)


@pytest.mark.parametrize("name", ["aic", "erg", "cc", "pccd", "flickr8k"])
def test_a_preset_runs_from_photographs_to_captions(name, root, corpus, weights, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    params = params_of(name, tmp_path / "params.yaml", weights)
    assert {params.captioner(variant).model for variant in params.variants} == MODELS[name]
    images, comments = corpus.images, corpus.images.with_name("comments.parquet")
    corpus = replace(corpus, captions=tmp_path / "captions.parquet")
    ngrams, topic_table, words = (tmp_path / f"{table}.parquet" for table in ("ngrams", "topics", "words"))
    filter_comments(comments, images, corpus.captions, ngrams, params.filter, params.language, tmp_path / "filter")
    train_lda(images, corpus.captions, ngrams, topic_table, words, tmp_path / "model", params.lda, params.seed)
    for feature in params.cnn_pretrain.features:
        pretrain(
            feature=feature,
            images=images,
            shards=corpus.shards,
            topics=topic_table,
            words=words,
            weights=tmp_path / "cnn" / feature,
            features=tmp_path / f"{feature}.parquet",
            params=params.cnn_pretrain,
            seed=params.seed,
            checkpoint=tmp_path / "checkpoint",
        )
    for name_of_both, both in params.fused_features.items():
        kinds = (both.first, both.second)
        first, second = (tmp_path / f"{kind}.parquet" for kind in kinds)
        networks = (tmp_path / "cnn" / both.first, tmp_path / "cnn" / both.second)
        fuse((first, second), networks, tmp_path / f"{name_of_both}.parquet", tmp_path / "cnn" / name_of_both)
    for variant in params.variants:
        predicted = caption(params, variant, corpus, tmp_path)
        assert predicted
        assert all(row["caption"] for row in predicted)
    if params.retrievers:
        associate(corpus.captions, images, GraphFiles.within(tmp_path / "graph"), params.associate, params.language)
    for retriever in params.retrievers:
        predicted = retrieve(params, retriever, corpus, tmp_path)
        assert predicted
        assert all(row["caption"] for row in predicted)


def retrieve(params, name, corpus, folder):
    """Build a retriever and return its predictions."""
    chosen = params.retrievers[name]
    features, network = folder / f"{chosen.features}.parquet", folder / "cnn" / chosen.features
    build(
        name,
        chosen,
        params.retrieval(name),
        captions=corpus.captions,
        images=corpus.images,
        edges=GraphFiles.within(folder / "graph").edges,
        features=features,
        network=network,
        fused=params.fused_features.get(chosen.features),
        out=folder / "retrieve" / name,
    )
    out = folder / "predict" / name
    predict(
        params,
        name,
        corpus,
        features=features,
        network=network,
        captioner=folder / "retrieve" / name,
        training={},
        out=out,
    )
    return pq.read_table(out / "predictions.parquet").to_pylist()


def caption(params, variant, corpus, folder):
    """Train a variant's captioner and return its predictions."""
    chosen = params.variants[variant]
    features, captioner = folder / f"{chosen.features}.parquet", folder / "captioners" / variant
    outcome = train(
        variant,
        chosen,
        corpus.captions,
        corpus.images,
        features,
        captioner,
        params.captioner(variant),
        params.seed,
        folder / "captioner.pt",
    )
    settings = params.captioner(variant)
    phases = settings.members + len(settings.options.get("aspects", ()))
    assert outcome.metrics["epochs"] == phases
    network, out = folder / "cnn" / chosen.features, folder / "predict" / variant
    predict(params, variant, corpus, features=features, network=network, captioner=captioner, training={}, out=out)
    assert (out / NEIGHBOURS).is_dir() == bool(params.predict.consensus)
    return pq.read_table(out / "predictions.parquet").to_pylist()
