"""Photographs of two colours, captioners that always predict one word, an empty store, and a server of a champion."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
import pytest
import torch
from mlflow import MlflowClient

from photocritic import config, tables, tracking, validation
from photocritic.captioning import ModelPredictor, Settings
from photocritic.captioning.captioner import ModelConfig, build
from photocritic.captioning.inference import CaptioningPipeline, read_topics
from photocritic.captioning.vocabulary import SPECIAL, Vocabulary
from photocritic.evaluation.champion import load_validation_set
from photocritic.evaluation.comparison import overlap
from photocritic.evaluation.evaluation_set import load_evaluation_set
from photocritic.serving.promotion import Trained, register_and_promote
from photocritic.serving.pyfunc import ARTIFACT, CODE, example, signature
from photocritic.serving.requests import Limits
from photocritic.tracking import mlflow_store
from photocritic.tracking import model_registry as registry
from photocritic.vision import network as networks
from photocritic.vision.network import Network, NetworkConfig
from tests import file_watch
from tests.captioning.conftest import caption_row
from tests.captioning.photographs import SIZE, small_backbone, write
from tests.evaluation.conftest import write_json
from tests.serving.payloads import photograph, rows

WORDS = ("red", "green", "blue", "white", "mauve")
CHANNELS = 16  # of the small backbone's last layer
SERVED_CHANNELS = 512  # of a ResNet-18's last layer
MOST = 100  # images of one request to the server
JSON = {"content-type": "application/json"}


def write_captioner(folder: Path, word: str, features: int = CHANNELS) -> None:
    """Write a captioner whose caption of every image is one word."""
    sizes = ModelConfig(features=features, vocabulary=len(SPECIAL) + len(WORDS), hidden=4, embedding=4)
    torch.manual_seed(1)
    model = build("show_tell", sizes, {})
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(0.01)
        model.get_parameter("words.output.bias")[len(SPECIAL) + WORDS.index(word)] = 50.0
    ModelPredictor(model, Vocabulary(WORDS), "show_tell", sizes).save(folder)


def write_pipeline(folder: Path, captioner: Path, network: Path) -> Path:
    """Write what predict leaves for a captioner: settings that refer to its weights; return the folder."""
    variants = {captioner.name: {"captions": "raw", "features": "weak"}}
    chosen = config.check({"variants": variants, "predict": {"max_length": 1}})
    weights = (os.path.relpath(path, folder) for path in (captioner, network))
    Settings.of(chosen, captioner.name, *weights).save(folder)
    return folder


@dataclass
class House:
    """What the stages have left, and a store to register in."""

    folder: Path
    trained: Trained

    def params(self, variants, **champion):
        """Give parameters in which each variant is named after the word that it predicts."""
        chosen = {name: {"captions": "raw", "features": "weak"} for name in variants}
        rule = {"metric": "rouge_l", "gate": {}} | champion
        return config.check({"variants": chosen, "predict": {"max_length": 1}, "promote": rule})

    def promote(self, *variants, **champion):
        """Evaluate variants, each named after the word that it predicts, and register the best."""
        chosen = self.params(variants, **champion)
        tables = (self.trained.images, self.trained.captions, self.trained.references)
        sets = {"": load_evaluation_set(*tables, "test"), "val.": load_validation_set(*tables, "test")}
        numbers = {
            f"{before}{name}.{key}": value
            for before, found in sets.items()
            if found
            for name in variants
            for key, value in overlap(chosen, found.examples, [name] * len(found.examples)).items()
        }
        with tracking.stage_run("evaluate", {}, []) as run:
            return register_and_promote(chosen, numbers, run, self.trained)

    def aliases(self):
        """Give the version that each alias points to."""
        models = MlflowClient(tracking_uri=tracking.uri()).search_registered_models()
        return {alias: str(number) for model in models for alias, number in model.aliases.items()}

    def versions(self):
        """Give all versions, the first one first."""
        found = MlflowClient(tracking_uri=tracking.uri()).search_model_versions("name = 'photocritic'")
        return sorted(found, key=lambda version: int(version.version))

    def write_references(self, text, images=range(16)):
        """Let held-back images have a reference of their own: the first 8 are of validation, the next of test."""
        rows = [{"image_id": f"im{n:03d}", "text": text, "source": "test"} for n in images]
        tables.save("references", self.trained.references, tables.from_rows("references", rows))


@pytest.fixture(scope="module", autouse=True)
def patched():
    """Pass every gate, and stand a small network in for a ResNet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validation, "check", lambda *_, **__: None)
        patch.setattr(networks, "build_backbone", small_backbone)
        patch.setattr(torch.cuda, "is_available", lambda: False)
        yield


@pytest.fixture(scope="module")
def built(patched, tmp_path_factory):
    """Write the corpus, the network and the captioners once."""
    folder = tmp_path_factory.mktemp("house")
    corpus = write(folder / "corpus", caption_row)
    tables.save("references", folder / "references.parquet", tables.from_rows("references", []))
    torch.manual_seed(2)
    Network(NetworkConfig("weak", "resnet18", SIZE, 1, {"topics": 2}, [])).save(folder / "networks" / "weak")
    for word in WORDS:
        write_captioner(folder / "captioners" / word, word)
        write_pipeline(folder / "predict" / word, folder / "captioners" / word, folder / "networks" / "weak")
    write_json(folder / "topics.json", [{"topic": t, "terms": [["soft_light", 0.2], ["dusk", 0.1]]} for t in (0, 1)])
    places = (corpus.images, corpus.captions, folder / "references.parquet", corpus.photographs.shards)
    return Trained(folder / "predict", folder / "topics.json", *places)


@pytest.fixture
def house(built, empty_store, tmp_path, monkeypatch):
    """Give all that with a store and references of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setattr(mlflow_store, "STORE", tmp_path / "mlruns")  # whole: MLflow keeps a store open by its address
    shutil.copytree(empty_store, tmp_path / "mlruns")
    shutil.copy(built.references, tmp_path)
    moved = {**vars(built), "references": tmp_path / "references.parquet"}
    return House(tmp_path, Trained(**moved))


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """Register a champion that says white of every image, its networks as they are; give the folder of its store."""
    folder = tmp_path_factory.mktemp("served")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        patch.setattr(mlflow_store, "STORE", folder / "mlruns")
        torch.manual_seed(2)
        Network(NetworkConfig("weak", "resnet18", 32, 1, {"topics": 2}, [])).save(folder / "weak")
        write_captioner(folder / "white", "white", SERVED_CHANNELS)
        write_json(folder / "topics.json", [{"topic": t, "terms": [["dusk", 0.1]]} for t in (0, 1)])
        written = write_pipeline(folder / "predict", folder / "white", folder / "weak")
        CaptioningPipeline.from_pretrained(written).save_pretrained(folder / "it", read_topics(folder / "topics.json"))
        with tracking.stage_run("evaluate", {}, []) as run:
            model = registry.Model(
                CODE, {ARTIFACT: folder / "it"}, signature(), example(), Limits(max_images=MOST).model_dump()
            )
            registry.point(registry.CHAMPION, registry.add(run, model, {}, ""))
    return folder


@pytest.fixture(scope="session")
def server(store):
    """Serve the champion on a free port; gives the address and the process that answers there."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    environment = os.environ | {"MLFLOW_TRACKING_URI": f"sqlite:///{store}/mlruns/mlflow.db"}
    with (store / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "photocritic.cli", "serve", "--port", str(port)],
            stdout=log,
            stderr=log,
            cwd=store,
            env=environment,
            start_new_session=True,
        )
    try:
        file_watch.until_serving(store / "server.log", process.pid)
        yield f"http://127.0.0.1:{port}", psutil.Process(process.pid)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # with the process that answers
        process.wait()


@pytest.fixture
def ask(server):
    """Give a function that posts a body; the server must still give the same answer to a good request after it."""
    address, _ = server
    with httpx.Client(base_url=address, timeout=60) as client:

        def post(body, headers=JSON):
            content = body if isinstance(body, str | bytes) else json.dumps(body)
            return client.post("/invocations", content=content, headers=headers)

        before = post(rows(photograph())).json()
        yield post
        assert before["predictions"][0]["caption"] == "white"
        assert post(rows(photograph())).json() == before
