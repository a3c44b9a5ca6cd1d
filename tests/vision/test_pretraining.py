"""The stage learns its topics, resumes exactly, writes every image's features, and refuses early what cannot be."""

from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.error import URLError

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
import torchvision
from safetensors.torch import save_file

from photocritic import tables
from photocritic.config import CnnPretrainParams
from photocritic.core.errors import CorpusError, ParamsError
from photocritic.core.files import sha256
from photocritic.vision import network as networks
from photocritic.vision.description import _FLOOR
from photocritic.vision.extraction import FeatureExtractor
from photocritic.vision.network import Network
from photocritic.vision.pretraining import check, pretrain


def vectors(path: Path) -> np.ndarray:
    column = tables.load("features", path).column("vector").combine_chunks()
    return column.flatten().to_numpy().reshape(len(column), -1)


@pytest.fixture(scope="module")
def weak(squares: Any) -> dict[str, Any]:
    places = squares.places("weak")
    params = CnnPretrainParams(image_size=32, epochs=4, batch_size=8, learning_rate=3e-3)
    seen: list[int] = []
    outcome = pretrain("weak", **places, params=params, seed=5, on_epoch=lambda epoch, metrics: seen.append(epoch))
    return places | {"outcome": outcome, "seen": seen, "params": params}


def test_it_learns_the_topics(weak: dict[str, Any]) -> None:
    metrics = weak["outcome"].metrics
    assert metrics["train_images"] == 28  # 30 of split train, 2 of them without topics
    assert metrics["val_images"] == 3
    assert metrics["images"] == 36
    curve = weak["outcome"].plots["learning_curve"]
    assert [row["epoch"] for row in curve] == weak["seen"] == [1, 2, 3, 4]
    assert curve[-1]["train_loss"] < curve[0]["train_loss"]
    assert metrics["val_loss"] == min(row["val_loss"] for row in curve)
    assert 0 <= metrics["val_top1"] <= metrics["val_top5"] == 1.0
    assert metrics["val_kl"] >= 0


def test_metrics_hold_no_timings(weak: dict[str, Any]) -> None:
    assert not [name for name in weak["outcome"].metrics if "second" in name or "per_s" in name]


def test_every_image_has_standardised_features(weak: dict[str, Any]) -> None:
    ids = pq.read_table(weak["features"]).column("image_id").to_pylist()
    assert ids == [f"{index:02d}" for index in range(36)]
    splits = np.array(pq.read_table(weak["images"]).column("split").to_pylist())
    train = vectors(weak["features"])[splits == "train"]
    assert train.shape == (30, 512)
    assert np.abs(train.mean(axis=0)).max() < 1e-3
    raw = Network.load(weak["weights"]).std.numpy()
    wanted = raw / np.maximum(raw, _FLOOR)  # 1, but for what hardly varies
    assert (wanted == 1).any()
    np.testing.assert_allclose(train.std(axis=0), wanted, atol=1e-2)


def test_checkpoint_and_decoded_images_are_gone_after_success(weak: dict[str, Any]) -> None:
    assert list(weak["checkpoint"].iterdir()) == []


def test_the_extractor_gives_the_tables_features(weak: dict[str, Any], squares: Any, tmp_path: Path) -> None:
    from photocritic.images.shards import read_images

    extractor = FeatureExtractor.load(weak["weights"])
    images = pq.read_table(weak["images"])
    contents = list(read_images(images["path"].to_pylist(), squares.shards, images["sha256"].to_pylist()))
    file, broken = tmp_path / "a.jpg", tmp_path / "b.jpg"
    file.write_bytes(contents[4])
    broken.write_bytes(contents[4][:100])
    found = extractor([contents[3], broken, file, tmp_path / "missing.jpg"])
    assert found.readable == [0, 2]
    assert sorted(found.unreadable) == [1, 3]
    assert "unreadable image" in found.unreadable[1]
    np.testing.assert_allclose(found.features, vectors(weak["features"])[3:5], atol=1e-3)
    assert found.topics is not None
    assert found.topics.shape == (2, 3)
    np.testing.assert_allclose(found.topics.sum(axis=1), 1, atol=1e-5)


def test_nothing_readable_gives_empty_features(weak: dict[str, Any]) -> None:
    found = FeatureExtractor.load(weak["weights"])([b""])
    assert found.features.shape == (0, 512)
    assert list(found.unreadable) == [0]


def test_interrupted_and_resumed_gives_the_same_bytes(weak: dict[str, Any], squares: Any) -> None:
    places = squares.places("again")

    def stop(epoch: int, metrics: dict[str, float]) -> None:
        if epoch == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pretrain("weak", **places, params=weak["params"], seed=5, on_epoch=stop)
    assert not places["features"].exists()
    torch.rand(3)
    outcome = pretrain("weak", **places, params=weak["params"], seed=5)
    assert outcome == weak["outcome"]
    assert sha256(places["weights"]) == sha256(weak["weights"])
    assert sha256(places["features"]) == sha256(weak["features"])


def test_every_option_of_training_takes_part(squares: Any) -> None:
    options = {"schedule": "constant", "accumulate": 2, "ema": 0.5, "jitter": 0.0}
    base = CnnPretrainParams(image_size=32, epochs=1, batch_size=8, learning_rate=3e-3)
    curves = []
    for name, value in (("plain", None), *options.items()):
        params = base.model_copy(update={name: value} if value is not None else {})
        outcome = pretrain("weak", **squares.places(f"option_{name}"), params=params, seed=5)
        curves.append(tuple(outcome.metrics[metric] for metric in ("train_loss", "val_loss")))
    assert len(set(curves)) == len(curves)


def test_training_ends_when_validation_gets_no_better(squares: Any) -> None:
    params = CnnPretrainParams(image_size=32, epochs=9, batch_size=8, learning_rate=3e-3, patience=1)
    outcome = pretrain("weak", **squares.places("patience"), params=params, seed=5)
    curve = outcome.plots["learning_curve"]
    assert len(curve) == min(outcome.metrics["best_epoch"] + 1, 9) < 9


def test_either_head_can_be_left_out_and_words_alone_give_no_topics(squares: Any, params: CnnPretrainParams) -> None:
    once = params.model_copy(update={"epochs": 1})
    losses = set()
    for heads, changes in (("topics", {"words_weight": 0.0}), ("words", {"topics_weight": 0.0}), ("topics words", {})):
        places = squares.places(f"heads {heads}")
        outcome = pretrain("weak", **places, params=once.model_copy(update=changes), seed=5)
        assert " ".join(Network.load(places["weights"]).heads) == heads
        assert {name for name in outcome.metrics if name.startswith("val_") and name.endswith("s_loss")} == {
            f"val_{head}_loss" for head in heads.split()
        }
        assert (FeatureExtractor.load(places["weights"])([]).topics is None) == ("topics" not in heads)
        assert outcome.metrics["train_images"] == 28  # whichever heads there are
        losses.add(outcome.metrics["val_loss"])
    assert len(losses) == 3


def test_labels_train_on_the_corpus_own_classes(squares: Any, params: CnnPretrainParams) -> None:
    places = squares.places("labels")
    outcome = pretrain("labels", **places, params=params.model_copy(update={"epochs": 1}), seed=5)
    assert outcome.metrics["train_images"] == 30
    assert Network.load(places["weights"]).config.labels == ["blue", "green", "red"]
    assert FeatureExtractor.load(places["weights"])([]).topics is None


def test_random_features_follow_the_seed_and_the_grid(squares: Any, params: CnnPretrainParams) -> None:
    options = params.model_copy(update={"grid": 2})
    found, grids = [], []
    for name, seed in (("r1", 1), ("r2", 1), ("r3", 2)):
        places = squares.places(name)
        outcome = pretrain("random", **places, params=options, seed=seed)
        assert outcome.metrics == {"images": 36}
        found.append(vectors(places["features"]))
        grids.append(tables.load("features", places["features"]).column("grid").combine_chunks())
    assert found[0].shape == (36, 512)
    assert (grids[0].type.list_size, grids[0].type.value_type.list_size) == (4, 512)
    assert grids[0].equals(grids[1])
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


def test_training_images_have_random_views_that_are_like_themselves(squares: Any, params: CnnPretrainParams) -> None:
    tables_, splits = [], np.array([])
    for name in ("views", "views again"):
        places = squares.places(name)
        pretrain(
            "random", **places, params=params.model_copy(update={"views": 3, "crop_share": 1.0, "jitter": 0.0}), seed=1
        )
        tables_.append(places["features"])
        splits = np.array(pq.read_table(places["images"]).column("split").to_pylist())
        assert list(places["checkpoint"].iterdir()) == []
    views, again = (np.concatenate([part for _, part in tables.read_regions(path, "views")]) for path in tables_)
    assert views.shape == (36, 3, 512)
    assert np.array_equal(views, again)
    assert not views[splits != "train"].any()
    seen, own = views[splits == "train"], vectors(tables_[0])[splits == "train"]
    assert (np.abs(seen[:, 0] - seen[:, 1]).max(axis=1) > 1e-3).all()  # each view is another
    distances = np.linalg.norm(seen.mean(axis=1)[:, None] - own, axis=2)
    assert np.diag(distances).mean() < 0.5 * distances.mean()


@pytest.mark.parametrize("suffix", [".pth", ".safetensors"])
def test_imagenet_weights_come_from_a_local_file(
    squares: Any, params: CnnPretrainParams, tmp_path: Path, suffix: str
) -> None:
    torch.manual_seed(0)
    reference = torchvision.models.resnet18()
    file = tmp_path / f"w{suffix}"
    torch.save(reference.state_dict(), file) if suffix == ".pth" else save_file(reference.state_dict(), file)
    places = squares.places(f"imagenet{suffix}")
    pretrain("imagenet", **places, params=params.model_copy(update={"weights": str(file)}), seed=5)
    network = Network.load(places["weights"])
    assert torch.equal(network.backbone[0].weight, reference.conv1.weight)


def test_imagenet_weights_without_counters_of_batches_fit(tmp_path: Path) -> None:
    state = {name: value for name, value in torchvision.models.resnet18().state_dict().items() if value.ndim}
    save_file(state, tmp_path / "old.safetensors")
    backbone = networks.load_imagenet("resnet18", str(tmp_path / "old.safetensors"))
    assert torch.equal(backbone[1].running_var, state["bn1.running_var"])


def test_weights_that_cannot_be_had_are_refused_before_any_work(
    squares: Any, params: CnnPretrainParams, tmp_path: Path
) -> None:
    places = squares.places("refused")

    def attempt(weights: str) -> None:
        pretrain("imagenet", **places, params=params.model_copy(update={"weights": weights}), seed=5)

    with pytest.raises(ParamsError, match="no such file"):
        attempt(str(tmp_path / "missing.pth"))
    (tmp_path / "junk.pth").write_bytes(b"junk")
    with pytest.raises(ParamsError, match="not a file of weights"):
        attempt(str(tmp_path / "junk.pth"))
    torch.save(torchvision.models.resnet34().state_dict(), tmp_path / "other.pth")
    with pytest.raises(ParamsError, match="is not a resnet50"):
        pretrain(
            "imagenet",
            **places,
            params=params.model_copy(update={"weights": str(tmp_path / "other.pth"), "backbone": "resnet50"}),
            seed=5,
        )
    with (
        patch("torch.hub.download_url_to_file", side_effect=URLError("offline")),
        patch.dict("os.environ", TORCH_HOME=str(tmp_path)),
        pytest.raises(ParamsError, match=r"set cnn_pretrain\.weights to a local"),
    ):
        attempt("")
    assert not places["checkpoint"].exists()


def rewritten(squares: Any, tmp_path: Path, **columns: Any) -> Path:
    rows = [row | columns for row in pq.read_table(squares.images).to_pylist()]
    path = tmp_path / "images.parquet"
    tables.save("images", path, tables.from_rows("images", rows))
    return path


def test_a_corpus_of_text_only_is_refused_in_one_line(squares: Any, params: CnnPretrainParams, tmp_path: Path) -> None:
    images = rewritten(squares, tmp_path, path="", width=0, height=0, format="", sha256="")
    with pytest.raises(CorpusError, match="has no images at hand; filter and lda work without"):
        check(images, params)
    with pytest.raises(CorpusError, match="has no images at hand"):
        pretrain("random", **(squares.places("text") | {"images": images}), params=params, seed=1)


def test_a_corpus_without_labels_is_refused_in_one_line(
    squares: Any, params: CnnPretrainParams, tmp_path: Path
) -> None:
    images = rewritten(squares, tmp_path, labels=[])
    with pytest.raises(CorpusError, match=r"drop 'labels' from cnn_pretrain\.features"):
        check(images, params)


def test_check_passes_what_can_be_made(squares: Any, params: CnnPretrainParams) -> None:
    check(squares.images, params)


@pytest.mark.parametrize("name", ["resnet999", "vit_b_16"])
def test_other_backbones_are_refused(squares: Any, params: CnnPretrainParams, name: str) -> None:
    with pytest.raises(ParamsError, match=r"cnn_pretrain\.backbone"):
        check(squares.images, params.model_copy(update={"backbone": name}))
