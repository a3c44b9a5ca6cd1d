"""The graph is the one that DVC reads from dvc.yaml."""

import pytest

from flows.dvc_api import read_graph


@pytest.fixture
def nodes(root, monkeypatch):
    monkeypatch.chdir(root)
    return read_graph()


def test_the_graph_is_the_one_in_dvc_yaml(nodes):
    needs = {node.name: set(node.needs) for node in nodes}
    assert needs["filter"] == {"ingest"}
    assert {"filter", "ingest"} <= needs["lda"]
    assert {"filter", "ingest"} == needs["associate"]
    assert {"lda", "ingest"} <= needs["cnn_pretrain@weak"]
    assert "cnn_pretrain@labels" in needs["lstm_train@ns"]
    assert "cnn_pretrain@weak" not in needs["lstm_train@ns"]
    assert "lstm_train@cws" in needs["predict@cws"]
    assert "lstm_train@ns" not in needs["predict@cws"]
    assert {"predict@ns", "predict@cs", "predict@cws", "retrieve@instance", "retrieve@assoc"} == needs["predictions"]
    assert {"associate", "cnn_pretrain@weak", "filter", "ingest"} == needs["retrieve@assoc"]
    assert {"predictions", "style_judges", "filter", "ingest"} == needs["evaluate"]
    assert {"evaluate", "associate"} <= needs["report"]


def test_each_stage_comes_after_what_it_needs(nodes):
    seen = set()
    for node in nodes:
        assert set(node.needs) <= seen
        seen.add(node.name)


def test_training_wants_the_gpu_pool(nodes):
    assert {node.name.partition("@")[0] for node in nodes if node.pool == "gpu"} == {
        "cnn_pretrain",
        "lstm_train",
        "predict",
        "style_judges",
        "augment",
    }
