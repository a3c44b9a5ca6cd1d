"""A CNN that is trained along with its captioner."""

import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from photocritic import captioning, config
from photocritic.captioning import train_captioner
from photocritic.captioning.caption_dataset import Pairs
from photocritic.captioning.captioner import ModelConfig, build
from photocritic.captioning.end_to_end import EndToEndCaptioner, EndToEndLoss
from photocritic.cli import caption_commands as command
from photocritic.config import Variant
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.core.files import sha256
from photocritic.training.recipe import Position
from photocritic.vision import network as networks
from photocritic.vision.network import Network, NetworkConfig
from tests.captioning.photographs import small_backbone, write

VARIANT = Variant(captions="filtered", features="weak")


@pytest.fixture(scope="module", autouse=True)
def small_networks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(networks, "build_backbone", small_backbone)
        yield


@pytest.fixture(scope="module")
def corpus(small_networks, make_caption, tmp_path_factory):
    torch.manual_seed(3)
    return write(tmp_path_factory.mktemp("photographs"), make_caption)


@pytest.fixture(scope="module")
def end_to_end(tiny):
    changes = {"min_count": 1, "epochs": 2, "batch_size": 8, "finetune_epochs": 6, "finetune_learning_rate": 1e-3}
    return tiny.model_copy(update=changes | {"label_smoothing": 0.0, "dropout": 0.0, "learning_rate": 5e-3})


def train(corpus, out, chosen, **options):
    where = corpus.captions, corpus.images, corpus.features
    checkpoint = out.parent / f"{out.name}.pt"
    photographs = corpus.photographs
    return train_captioner.train("cws", VARIANT, *where, out, chosen, 7, checkpoint, photographs=photographs, **options)


@pytest.fixture(scope="module")
def trained(corpus, end_to_end, tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "cws"
    return out, train(corpus, out, end_to_end)


def test_the_cnn_learns_and_takes_the_loss_below_that_of_fixed_features(corpus, end_to_end, trained, tmp_path):
    still = end_to_end.model_copy(update={"finetune_learning_rate": 1e-12})
    fixed = train(corpus, tmp_path / "fixed", still).plots["learning_curve"]
    moving = trained[1].plots["learning_curve"]
    assert len(moving) == len(fixed) == 8
    assert moving[:2] == fixed[:2]
    assert moving[-1]["train_loss"] < 0.9 * fixed[-1]["train_loss"]
    before, after = (load_file(place / "weights.safetensors") for place in (corpus.folder / "cnn", trained[0] / "cnn"))
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    assert "backbone.0.weight" in changed
    assert not {name for name in changed if "running" in name or "mean" in name or "std" in name}
    assert sorted(path.name for path in trained[0].iterdir()) == ["cnn", "model", "vocabulary.json"]
    assert [path.name for path in trained[0].parent.iterdir()] == ["cws"]


def test_a_run_that_was_stopped_goes_on_to_the_same_bytes(corpus, end_to_end, trained, tmp_path):
    class Stopped(Exception):
        pass

    def stop(epoch, metrics):
        if epoch == 5:
            raise Stopped

    chosen = end_to_end.model_copy()
    with pytest.raises(Stopped):
        train(corpus, tmp_path / "cws", chosen, on_epoch=stop)
    epochs = []
    outcome = train(corpus, tmp_path / "cws", chosen, on_epoch=lambda epoch, metrics: epochs.append(epoch))
    assert epochs == list(range(1, 9))
    assert outcome.metrics == trained[1].metrics
    assert sha256(tmp_path / "cws") == sha256(trained[0])


def test_captions_are_the_same_from_files_shards_and_memory(corpus, trained, tmp_path):
    source = captioning.load_predictor(trained[0])
    assert (source.view, source.side) == ("pixels", 32)
    names = [f"{image}.png" for image in sorted(corpus.shown)]
    pixels = np.load(corpus.folder / "pixels.npy")
    options = {"min_length": 1, "max_length": 8, "batch_size": 20}
    chosen = config.check({"variants": {"cws": {"captions": "filtered", "features": "weak"}}, "predict": options})
    said = source.predict(pixels, chosen.predict, seed=chosen.seed, names=names)
    captioning.Settings.of(chosen, "cws", str(trained[0])).save(tmp_path / "cws")
    command.caption(corpus.files, tmp_path / "out.jsonl", model=tmp_path / "cws")
    told = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["image"] for row in told] == names
    assert [row["caption"] for row in told] == [one.text for one in said]
    ids = sorted(corpus.shown)[::-1]
    side, file = source.side, tmp_path / "pixels.npy"
    stored = captioning.stored_pixels(corpus.images, ids, corpus.photographs.shards, side, file)
    found = source.predict(stored, chosen.predict, seed=chosen.seed, names=ids)
    assert [one.text for one in found] == [one.text for one in said][::-1]
    assert len({one.text for one in said}) > 4
    with pytest.raises(TrainingError, match="squares of 32 pixels"):
        source.predict(np.zeros((2, 1, 16), np.float32), chosen.predict)


def test_self_critical_training_goes_on_with_the_features_of_the_new_cnn(corpus, end_to_end, tmp_path):
    chosen = end_to_end.model_copy(update={"finetune_epochs": 2, "self_critical_epochs": 1, "select": "cider_d"})
    outcome = train(corpus, tmp_path / "cws", chosen)
    curve = outcome.plots["learning_curve"]
    assert ["train_loss" in row for row in curve] == [True] * 4 + [False]
    assert captioning.load_predictor(tmp_path / "cws").view == "pixels"
    assert [path.name for path in tmp_path.iterdir()] == ["cws"]


def test_what_is_trained_on_is_what_the_features_table_holds():
    torch.manual_seed(4)
    network = Network(NetworkConfig("weak", "resnet18", 20, 3, {}, [])).eval()
    network.mean.fill_(0.3)
    network.cell_std.fill_(2.0)
    images = torch.randn(2, 3, 20, 20)
    both = torch.cat([images, images.flip(3)], dim=3)  # its own mirror image, of which `describe` gives the mean
    expected = network.standardise(network.describe(both))
    captioner = build("show_tell", ModelConfig(16, 9, 8, 8))
    torch.testing.assert_close(EndToEndCaptioner(network, captioner, "pooled").features(both)[:, 0], expected.pooled)
    cells = EndToEndCaptioner(network, captioner, "grid").features(both).unflatten(1, (3, 3))
    torch.testing.assert_close(((cells + cells.flip(2)) / 2).flatten(1, 2), expected.grid)


def test_the_loss_is_the_mean_over_the_tokens_of_all_captions_of_the_images(monkeypatch, tiny):
    monkeypatch.setattr(
        "photocritic.captioning.end_to_end.random_view", lambda pixels, *_: pixels.permute(0, 3, 1, 2) / 255
    )
    torch.manual_seed(1)
    network = Network(NetworkConfig("weak", "resnet18", 16, 2, {}, []))
    captioner = build("show_tell", ModelConfig(16, 9, 8, 8, regions=4))
    model = EndToEndCaptioner(network, captioner, "grid").train()
    assert captioner.training
    assert not any(part.training for part in network.modules())
    offsets, tokens = np.array([0, 2, 5, 6, 9]), np.array([4, 2, 5, 6, 2, 7, 8, 4, 2], np.int32)
    pairs = Pairs(np.zeros((3, 4, 16), np.float32), np.array([2, 0, 2, 1], np.int32), offsets, tokens)
    pixels = np.random.default_rng(0).integers(0, 256, (3, 16, 16, 3), np.uint8)
    params = tiny.model_copy(update={"label_smoothing": 0.0, "scheduled_sampling": 0.0})
    loss, start = EndToEndLoss(pairs, pixels, 16, params), Position(0, 0.0)
    assert len(loss) == 3
    assert [loss.weigh(np.array([row])) for row in range(3)] == [3, 3, 3]
    captioner.eval()
    whole = loss(model, np.arange(3), start)
    parts = torch.stack([loss(model, np.array([row]), start) for row in range(3)])
    torch.testing.assert_close(whole, parts.mean())
    whole.backward()
    assert all(float(weight.grad.abs().sum()) > 0 for weight in network.backbone[0].parameters())


def test_styles_and_the_cnn_are_not_learned_at_once():
    raw = {"lstm_train": {"model": "style_net", "options": {"styles": ["humorous"]}, "finetune_epochs": 1}}
    with pytest.raises(ParamsError, match="finetune_epochs must be 0"):
        config.check(raw)
