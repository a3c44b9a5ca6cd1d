"""Photographs of two colours, small captioners that always say one word, and an empty store in a folder of its own."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from mlflow import MlflowClient

from photocritic import captioning, config, tables, tracking, validation
from photocritic.captioning import Bundle
from photocritic.captioning.models import ModelConfig, build
from photocritic.captioning.vocabulary import SPECIAL, Vocabulary
from photocritic.evaluation.remeasure import overlap
from photocritic.evaluation.truth import gather
from photocritic.serving.promotion import Trained, register_and_promote
from photocritic.tracking import mlflow_store
from photocritic.vision import backbones
from photocritic.vision.network import Network, NetworkConfig
from tests.captioning.conftest import caption_row
from tests.captioning.photographs import SIZE, small_backbone, write
from tests.evaluation.conftest import write_json

WORDS = ("red", "green", "blue", "white", "mauve")
CHANNELS = 16  # of the small backbone's last layer


def write_speaker(folder: Path, word: str, features: int = CHANNELS) -> None:
    """Write a captioner that says one word of every image."""
    config = ModelConfig(features=features, vocabulary=len(SPECIAL) + len(WORDS), hidden=4, embedding=4)
    torch.manual_seed(1)
    model = build("show_tell", config, {})
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(0.01)
        model.get_parameter("words.output.bias")[len(SPECIAL) + WORDS.index(word)] = 50.0
    captioning.save(folder, Bundle(model, Vocabulary(WORDS), "show_tell", config))


@dataclass
class House:
    """What the stages have left, and a store to register in."""

    folder: Path
    trained: Trained

    def params(self, variants, **champion):
        """Give parameters in which each variant is named after the word that it says."""
        chosen = {name: {"captions": "raw", "features": "weak"} for name in variants}
        rule = {"metric": "rouge_l", "gate": {}} | champion
        return config.check({"variants": chosen, "predict": {"max_length": 1}, "promote": rule})

    def promote(self, *variants, **champion):
        """Evaluate variants, each named after the word that it says, and register the best."""
        chosen = self.params(variants, **champion)
        truth = gather(self.trained.images, self.trained.captions, self.trained.references, "test").subjects
        numbers = {
            f"{name}.{key}": value
            for name in variants
            for key, value in overlap(chosen, truth, [name] * len(truth)).items()
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

    def write_references(self, text):
        """Let the held-back images have a reference of their own."""
        rows = [{"image_id": f"im{n:03d}", "text": text, "source": "test"} for n in range(8, 16)]
        tables.save("references", self.trained.references, tables.from_rows("references", rows))


@pytest.fixture(scope="module", autouse=True)
def patched():
    """Pass every gate, and stand a small network in for a ResNet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validation, "check", lambda *_, **__: None)
        patch.setattr(backbones, "build", small_backbone)
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
        write_speaker(folder / "captioners" / word, word)
    write_json(folder / "topics.json", [{"topic": t, "terms": [["soft_light", 0.2], ["dusk", 0.1]]} for t in (0, 1)])
    places = (corpus.images, corpus.captions, folder / "references.parquet", corpus.photographs.shards)
    return Trained(folder / "captioners", folder / "networks", folder / "topics.json", *places)


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
