"""Captions and similar photographs are printed for photographs, and what cannot be read has its reason."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from photocritic.captioning.retrieval.retrieval_predictor import RetrievalPredictor, RetrievalSettings
from photocritic.cli.caption_commands import caption, retrieve
from photocritic.core.errors import ParamsError
from photocritic.retrieval.caption_graph import CaptionGraph
from photocritic.retrieval.vector_index import VectorIndex
from photocritic.vision.extraction import FeatureExtractor
from photocritic.vision.network import Network, NetworkConfig
from tests.images.files import encoded
from tests.serving.conftest import write_captioner, write_pipeline

COLOURS = ("red", "green", "blue", "white")


def photograph(colour):
    return encoded(Image.new("RGB", (40, 30), colour), "PNG")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Make a project with a retriever of photographs of one colour each, and a captioner that generates."""
    folder = tmp_path_factory.mktemp("project")
    torch.manual_seed(2)
    network = folder / "data" / "cnn_pretrain" / "weak"
    Network(NetworkConfig("weak", "resnet18", 32, 1, {"topics": 2}, [])).save(network)
    vectors = FeatureExtractor.load(network)([photograph(colour) for colour in COLOURS]).features
    graph = CaptionGraph.of((f"all {colour}", f"all {colour}", f"photograph of {colour}") for colour in COLOURS)
    found = RetrievalPredictor(graph, VectorIndex(vectors), RetrievalSettings("assoc", 100, 2, (0, vectors.shape[1])))
    found.save(folder / "data" / "retrieve" / "assoc")
    write_captioner(folder / "data" / "lstm_train" / "white", "white", features=512)
    for kind, name in (("retrieve", "assoc"), ("lstm_train", "white")):
        write_pipeline(folder / "data" / "predict" / name, folder / "data" / kind / name, network)
    return folder


@pytest.fixture
def project(trained, tmp_path, monkeypatch):
    monkeypatch.chdir(trained)
    return tmp_path


def test_the_captions_of_similar_photographs_are_printed_with_them(project, capsys):
    for colour in COLOURS:
        (project / f"{colour}.png").write_bytes(photograph(colour))
    (project / "broken.png").write_bytes(b"not an image")
    asked = [project / "blue.png", project / "broken.png", project / "red.png", project / "missing.png"]
    retrieve(asked, "assoc", captions=2, similar=1)
    blue, broken, red, missing = map(json.loads, capsys.readouterr().out.splitlines())
    assert [row["image"] for row in (blue, broken, red, missing)] == [str(path) for path in asked]
    assert blue["captions"][0] == {"caption": "all blue", "affinity": 0.0, "photographs": ["photograph of blue"]}
    assert red["captions"][0]["caption"] == "all red"
    assert [len(row["captions"]) for row in (blue, red)] == [2, 2]
    assert red["captions"][1]["affinity"] < 0
    assert "unreadable" in broken["reason"]
    assert missing["reason"]


def test_the_same_captions_are_those_of_the_command_caption(project):
    (project / "photographs").mkdir()
    for colour in COLOURS:
        (project / "photographs" / f"{colour}.png").write_bytes(photograph(colour))
    caption(project / "photographs", project / "out.jsonl", "assoc")
    rows = [json.loads(line) for line in (project / "out.jsonl").read_text().splitlines()]
    assert {row["image"]: row["caption"] for row in rows} == {f"{colour}.png": f"all {colour}" for colour in COLOURS}
    np.testing.assert_allclose([row["logprob"] for row in rows], 0.0)


def test_a_captioner_that_generates_is_refused(project):
    with pytest.raises(ParamsError, match="white: this captioner generates captions"):
        retrieve([Path("a.png")], "white", 1, 1)


def test_a_retriever_that_is_not_built_is_refused_with_those_that_are(project):
    with pytest.raises(ParamsError, match=r"instance: no trained captioner; there are assoc, white"):
        retrieve([Path("a.png")], "instance", 1, 1)
