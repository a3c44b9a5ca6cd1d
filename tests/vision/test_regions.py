"""Every image has its R strongest regions, described by what is in them, in a table that captioners learn from."""

import json
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from torchvision.ops import box_iou

from photocritic import captioning, tables
from photocritic.cli import caption_commands as command
from photocritic.config import CnnPretrainParams, Params
from photocritic.core.errors import TrainingError
from photocritic.core.files import sha256
from photocritic.images.shards import read_images
from photocritic.vision import detectors
from photocritic.vision.description import plain_view
from photocritic.vision.extraction import FeatureExtractor
from photocritic.vision.pretraining import pretrain
from photocritic.vision.regions import RegionConfig, RegionNetwork

SMALL = "fasterrcnn_mobilenet_v3_large_320_fpn"


def network(file: Path, regions: int = 6, size: int = 64) -> RegionNetwork:
    detector = detectors.load(SMALL, str(file))
    return RegionNetwork(RegionConfig("regions", SMALL, 5, size, regions), detector).eval()


def images(size: int = 64, count: int = 3) -> torch.Tensor:
    torch.manual_seed(0)
    coarse = torch.randn(count, 3, 8, 8)
    return torch.nn.functional.interpolate(coarse, size=(size, size)).contiguous(memory_format=torch.channels_last)


def are_windows(boxes: torch.Tensor, side: float) -> torch.Tensor:
    """Tell which of an image's boxes (R, 4) are windows of a grid with cells of `side` pixels."""
    corners, sides = boxes[:, :2] / side, boxes[:, 2:] - boxes[:, :2]
    return ((corners - corners.round()).abs().amax(1) < 1e-4) & ((sides - side).abs().amax(1) < 1e-4)


@torch.inference_mode()
@pytest.mark.parametrize(("size", "regions", "windows"), [(128, 6, 128 / 3), (64, 25, 64 / 5)])
def test_the_strongest_regions_come_first_and_differ(
    detector_file: Path, size: int, regions: int, windows: float
) -> None:
    found = network(detector_file, regions, size).find(images(size))
    assert found.boxes.shape == (3, regions, 4)
    assert found.features.shape == (3, regions, 1024)
    assert len(found.scores.unique()) > 2 * regions, "an unsure detector would order nothing"
    filled = [are_windows(boxes, windows) for boxes in found.boxes]
    assert bool(torch.stack(filled).any()) == (size == 64), "small images have too few proposals that differ"
    for boxes, scores, last in zip(found.boxes, found.scores, filled, strict=True):
        assert not last[0]
        assert last.int().diff().min() >= 0, "windows come after all proposals"
        assert all(part.diff().max() <= 0 for part in (scores[~last], scores[last]) if len(part) > 1)
        assert box_iou(boxes, boxes).fill_diagonal_(0).max() <= 0.5
        assert boxes.min() >= 0
        assert boxes.max() <= size


@torch.inference_mode()
def test_fewer_regions_are_the_strongest_of_more(detector_file: Path) -> None:
    few, more = (network(detector_file, regions, 128).find(images(128)) for regions in (3, 6))
    torch.testing.assert_close(more.boxes[:, :3], few.boxes, atol=1e-2, rtol=0)
    torch.testing.assert_close(more.features[:, :3], few.features, atol=1e-3, rtol=1e-3)


@torch.inference_mode()
def test_equal_images_give_equal_regions_whatever_stands_beside_them(detector_file: Path) -> None:
    made = network(detector_file, size=128)
    together = made.find(images(128, 5))
    for first, last in ((0, 5), (2, 3), (1, 4)):
        some = made.find(images(128, 5)[first:last])
        assert all(torch.equal(part[first:last], again) for part, again in zip(together, some, strict=True))


@torch.inference_mode()
@pytest.mark.parametrize("regions", [1, 4, 7])
def test_windows_fill_up_where_nothing_is_proposed(detector_file: Path, regions: int) -> None:
    made = network(detector_file, regions)
    some = made.find(images())
    made.detector.rpn.score_thresh = 2.0  # no probability reaches it
    none = made.find(images())
    assert none.features.shape == some.features.shape == (3, regions, 1024)
    side = {1: 64, 4: 32, 7: 64 / 3}[regions]
    for boxes, scores in zip(none.boxes, none.scores, strict=True):
        assert are_windows(boxes, side).all()
        assert len(boxes.unique(dim=0)) == regions
        assert all(one >= two for one, two in pairwise(scores.tolist()))
    assert not torch.equal(none.boxes, some.boxes), "a proposal comes before any window"


@torch.inference_mode()
def test_features_are_those_of_the_boxes(detector_file: Path) -> None:
    made = network(detector_file)
    found = made.find(images())
    heads = made.detector.roi_heads
    pooled = heads.box_roi_pool(made.detector.backbone(images()), list(found.boxes), [(64, 64)] * 3)
    torch.testing.assert_close(heads.box_head(pooled).view(3, 6, 1024), found.features, atol=1e-3, rtol=1e-3)
    torch.testing.assert_close(made.describe(images()).pooled, found.features.mean(dim=1))


@torch.inference_mode()
def test_the_strongest_region_is_torchvisions_own_first_detection(detector_file: Path) -> None:
    made = network(detector_file, size=128)
    pixels = ((images(128) - images().min()) / (images().max() - images().min()) * 255).byte().permute(0, 2, 3, 1)
    found = made.find(plain_view(pixels))
    made.detector.transform.min_size, made.detector.roi_heads.score_thresh = (128,), 0.0
    detected = made.detector([(image / 255).permute(2, 0, 1) for image in pixels])
    torch.testing.assert_close(found.scores[:, 0], torch.stack([one["scores"][0] for one in detected]))


@torch.inference_mode()
def test_what_lies_outside_a_box_changes_it_less_than_what_lies_inside(detector_file: Path) -> None:
    made = network(detector_file)
    before = images(320, 1)
    inside, outside = before.clone(), before.clone()
    inside[..., :64, :64] = -inside[..., :64, :64]
    outside[..., 256:, 256:] = -outside[..., 256:, 256:]
    box = [torch.tensor([[0.0, 0.0, 64.0, 64.0]])]
    seen = [made.pool(made.detector.backbone(one), box, [(320, 320)]) for one in (before, inside, outside)]
    changed_inside, changed_outside = ((seen[0] - one).norm() for one in seen[1:])
    assert changed_inside > 3 * changed_outside


def regions_of(path: Path) -> np.ndarray:
    return np.concatenate([batch for _, batch in tables.read_regions(path, "grid")])


@pytest.fixture(scope="module")
def made(squares: Any, detector_file: Path) -> dict[str, Any]:
    params = CnnPretrainParams(detector=SMALL, detector_weights=str(detector_file), detector_size=64, regions=4)
    places = squares.places("regions")
    outcome = pretrain("regions", **places, params=params, seed=5)
    return places | {"outcome": outcome, "params": params}


def test_every_image_has_standardised_regions(made: dict[str, Any]) -> None:
    assert made["outcome"].metrics == {"images": 36}
    table = pq.read_table(made["features"])
    assert table.column("image_id").to_pylist() == [f"{index:02d}" for index in range(36)]
    regions = regions_of(made["features"])
    vectors = np.concatenate([batch for _, batch in tables.read_regions(made["features"], "pooled")])
    assert (regions.shape, vectors.shape) == ((36, 4, 1024), (36, 1, 1024))
    train = np.array(pq.read_table(made["images"]).column("split").to_pylist()) == "train"
    for values in (regions[train].reshape(-1, 1024), vectors[train, 0]):
        assert np.abs(values.mean(axis=0)).max() < 1e-2
        spread = values.std(axis=0)
        assert np.abs(spread[spread > 0.1] - 1).max() < 1e-2
    assert not list(made["checkpoint"].iterdir())


def test_made_again_they_are_the_same_bytes(made: dict[str, Any], squares: Any) -> None:
    places = squares.places("regions_again")
    pretrain("regions", **places, params=made["params"], seed=5)
    assert sha256(places["features"]) == sha256(made["features"])
    assert sha256(places["weights"]) == sha256(made["weights"])


def test_a_file_is_described_as_in_the_table(made: dict[str, Any], squares: Any) -> None:
    images = pq.read_table(made["images"])
    contents = list(read_images(images["path"].to_pylist(), squares.shards, images["sha256"].to_pylist()))
    found = FeatureExtractor.load(made["weights"])([contents[7], b"junk", contents[3]])
    assert (found.readable, list(found.unreadable), found.topics) == ([0, 2], [1], None)
    np.testing.assert_allclose(found.view("grid"), regions_of(made["features"])[[7, 3]], atol=1e-2)
    assert found.view("pooled").shape == (2, 1, 1024)


def broken(made: dict[str, Any], folder: Path, **changes: Any) -> Path:
    copytree(made["weights"], folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | changes))
    return folder


@pytest.mark.parametrize(
    "changes",
    [{"feature": "weak"}, {"detector": "fasterrcnn_resnet999"}, {"classes": 7}, {"classes": "many"}, {"colour": 1}],
)
def test_a_foreign_folder_is_refused_in_one_line(made: dict[str, Any], tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(TrainingError, match="not a network of photocritic") as caught:
        FeatureExtractor.load(broken(made, tmp_path / "cnn", **changes))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_damaged_weights_are_refused_in_one_line(made: dict[str, Any], tmp_path: Path) -> None:
    folder = broken(made, tmp_path / "cnn")
    file = folder / "weights.safetensors"
    file.write_bytes(file.read_bytes()[:5000])
    with pytest.raises(TrainingError, match="damaged model"):
        FeatureExtractor.load(folder)


def caption(image_id: str, colour: str) -> dict[str, object]:
    tokens = ["a", colour, "square"]
    row = {name: " ".join(tokens) for name in ("text", "cleaned")} | {"sentence": 0, "tokens": tokens, "ngrams": tokens}
    row |= {"comment_id": f"{image_id}-0", "image_id": image_id, "author_id": None, "style": None, "source": "made up"}
    return row | {"form": None, "score": 30.0, "kept": True, "reason": ""}


def test_up_down_learns_from_them_and_captions_a_file(
    made: dict[str, Any], squares: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = pq.read_table(made["images"]).to_pylist()
    captions = tmp_path / "captions.parquet"
    tables.save(
        "captions",
        captions,
        tables.from_rows("captions", [caption(row["image_id"], row["labels"][0]) for row in rows]),
    )
    changes = {"model": "up_down", "view": "grid", "hidden": 24, "embedding": 16, "min_count": 1, "epochs": 6}
    params = Params.model_validate(
        {
            "cnn_pretrain": {"features": ["regions"]},
            "variants": {"seen": {"captions": "filtered", "features": "regions", "lstm_train": changes}},
            "lstm_train": {"batch_size": 6, "learning_rate": 0.01, "precision": "32-true"},
            "augment": {"features": "regions"},
        }
    )
    outcome = captioning.train(
        name="seen",
        variant=params.variants["seen"],
        captions=captions,
        images=made["images"],
        features=made["features"],
        out=tmp_path / "data" / "lstm_train" / "seen",
        params=params.captioner("seen"),
        seed=5,
        checkpoint=tmp_path / "checkpoint.pt",
    )
    curve = [row["train_loss"] for row in outcome.plots["learning_curve"]]
    assert curve[-1] < curve[0]
    copytree(made["weights"], tmp_path / "data" / "cnn_pretrain" / "regions")
    (tmp_path / "photographs").mkdir()
    [photograph] = read_images([rows[0]["path"]], squares.shards, [rows[0]["sha256"]])
    (tmp_path / "photographs" / "a.jpg").write_bytes(photograph)
    monkeypatch.chdir(tmp_path)
    captioning.Settings.of(params, "seen", "../../lstm_train/seen", "../../cnn_pretrain/regions").save(
        Path("data/predict/seen")
    )
    command.caption(Path("photographs"), Path("out.jsonl"), "seen")
    (said,) = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert said["image"] == "a.jpg"
    assert set(said["caption"].split()) <= {"a", "red", "green", "blue", "square"}
    assert said["caption"]
