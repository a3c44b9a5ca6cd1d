"""Global descriptors are what their papers define, and reach the features table as they are."""

import io
import json
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from PIL import Image
from safetensors.numpy import load_file
from torch.nn import functional

from photocritic import tables
from photocritic.config import CnnPretrainParams
from photocritic.core.errors import TrainingError
from photocritic.core.files import sha256
from photocritic.core.paths import PARTS
from photocritic.images.shards import read_images
from photocritic.vision.descriptors import DescriptorConfig, GistDescriptor, GlobalDescriptor, TinyimageDescriptor
from photocritic.vision.extraction import FeatureExtractor
from photocritic.vision.fusion import fuse, fused
from photocritic.vision.pretraining import pretrain

FILTERS = [(scale, turn / count) for scale, count in enumerate((8, 8, 4)) for turn in range(count)]


def gist(side: int = 32) -> GistDescriptor:
    return GistDescriptor(DescriptorConfig("gist", side))


def tinyimage() -> TinyimageDescriptor:
    return TinyimageDescriptor(DescriptorConfig("tinyimage", 32))


def convolved(maps: np.ndarray, kernels: np.ndarray, places: list[tuple[int, int]]) -> np.ndarray:
    """Convolve maps (C, n, n) circularly with kernels (F, n, n), at some places (P, 2) alone: (C, F, P)."""
    around, found = np.arange(maps.shape[1]), []
    for row, column in places:
        turned = kernels[:, (row - around) % len(around)][:, :, (column - around) % len(around)]
        found.append(maps.reshape(len(maps), -1) @ turned.reshape(len(kernels), -1).T)
    return np.stack(found, axis=2)


def transfer(scale: int, turn: float, side: int) -> np.ndarray:
    """Compute a filter's transfer function a frequency at a time, as LMgist defines it."""
    count, found = (8, 8, 4)[scale], np.zeros((side, side))
    for row in range(side):
        for column in range(side):
            down, across = ((index + side // 2) % side - side // 2 for index in (row, column))
            angle = np.angle(across + 1j * down) + np.pi * turn
            angle -= 2 * np.pi * (angle > np.pi)
            distance = np.hypot(down, across) / side / (0.3 / 1.85**scale) - 1
            found[row, column] = np.exp(-10 * 0.35 * distance**2 - 2 * np.pi * (16 * count**2 / 32**2) * angle**2)
    return found


def prefiltered(image: np.ndarray) -> np.ndarray:
    """Compute LMgist's local contrast prefilter of (3, S, S) from 0 to 1 by direct convolution."""
    padded = np.pad(np.log(255 * image + 1), ((0, 0), (5, 5), (5, 5)), mode="symmetric")
    side = padded.shape[1]
    along = np.fft.fftfreq(side, 1 / side)
    mask = np.exp(-(along[:, None] ** 2 + along**2) / (4 / np.sqrt(np.log(2))) ** 2)
    kernel, everywhere = np.fft.ifft2(mask).real[None], [(row, column) for row in range(side) for column in range(side)]
    details = padded - convolved(padded, kernel, everywhere)[:, 0].reshape(padded.shape)
    square = convolved(details.mean(axis=0, keepdims=True) ** 2, kernel, everywhere).reshape(1, side, side)
    return (details / (0.2 + np.sqrt(np.abs(square))))[:, 5:-5, 5:-5]


def test_gist_is_the_mean_magnitude_of_direct_convolutions() -> None:
    image = torch.rand(3, 32, 32, generator=torch.Generator().manual_seed(1))
    smooth = functional.interpolate(image[None, :, :7, :7], size=(32, 32), mode="bilinear")[0]
    image = 0.7 * smooth + 0.3 * image
    image[1] *= 0.1
    found = gist()(image[None]).reshape(3, 20, 4, 4).numpy()
    padded = np.pad(prefiltered(image.double().numpy()), ((0, 0), (32, 32), (32, 32)), mode="symmetric")
    kernels = np.stack([np.fft.ifft2(transfer(scale, turn, 96)) for scale, turn in FILTERS])
    for cell in [(0, 0), (1, 3), (2, 1)]:
        top, left = (32 + 8 * place for place in cell)
        inside = [(row, column) for row in range(top, top + 8) for column in range(left, left + 8)]
        wanted = np.abs(convolved(padded, kernels, inside)).mean(axis=2)
        np.testing.assert_allclose(found[:, :, *cell], wanted, atol=1e-4, rtol=0)
        assert wanted.min() > 1e-3


def test_a_grating_excites_the_filter_of_its_frequency_and_orientation_most() -> None:
    down, across = np.mgrid[:64, :64]
    gratings = [
        0.5
        + 0.3 * np.cos(2 * np.pi * 0.3 / 1.85**scale * (across * np.cos(np.pi * turn) - down * np.sin(np.pi * turn)))
        for scale, turn in FILTERS
    ]
    images = torch.tensor(np.array(gratings), dtype=torch.float32)[:, None].expand(-1, 3, -1, -1)
    found = gist(64)(images).reshape(len(FILTERS), 3, len(FILTERS), 16)
    torch.testing.assert_close(found[:, 0], found[:, 2])
    assert found.mean(dim=(1, 3)).argmax(dim=1).tolist() == list(range(len(FILTERS)))


def test_a_corner_excites_its_own_cell() -> None:
    images = torch.full((1, 3, 64, 64), 0.5)
    images[:, :, 52:60, 4:12:2] = 1.0
    cells = gist(64)(images).reshape(3, 20, 16)[:, 0]
    assert cells.argmax(dim=1).tolist() == [12, 12, 12]


def test_a_flat_image_has_no_gist() -> None:
    assert gist()(torch.full((1, 3, 32, 32), 0.3)).abs().max() < 1e-4


def test_an_image_is_described_the_same_in_any_batch() -> None:
    images = torch.rand(5, 3, 32, 32, generator=torch.Generator().manual_seed(2))
    torch.testing.assert_close(gist()(images)[3:4], gist()(images[3:4]), atol=1e-6, rtol=0)


def test_a_tinyimage_is_the_area_average_of_the_middle() -> None:
    down, across = np.mgrid[:256, :384] / 256
    waves = [0.5 + 0.4 * np.sin(3 * down + 2 * across + phase) * np.cos(2 * across) for phase in range(3)]
    pixels = (255 * np.stack(waves, axis=2)).round().astype(np.uint8)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    found = FeatureExtractor(tinyimage())([stream.getvalue()]).features
    middle = pixels[:, 64:-64].astype(np.float64) / 255
    wanted = middle.reshape(32, 8, 32, 8, 3).mean(axis=(1, 3)).transpose(2, 0, 1)
    np.testing.assert_allclose(found.reshape(3, 32, 32), wanted, atol=0.006)


@pytest.fixture(scope="module")
def made(squares: Any) -> dict[str, dict[str, Any]]:
    return {kind: made_once(kind, squares, kind) for kind in ("gist", "tinyimage")}


def made_once(kind: Any, squares: Any, name: str) -> dict[str, Any]:
    places = squares.places(f"descriptors_{name}")
    return places | {"outcome": pretrain(kind, **places, params=CnnPretrainParams(gist_size=32, views=2), seed=5)}


def vectors_of(path: Path) -> np.ndarray:
    return np.concatenate([batch for _, batch in tables.read_regions(path, "pooled")])[:, 0]


def contents_of(made: dict[str, Any], squares: Any) -> list[bytes]:
    images = pq.read_table(made["images"])
    return list(read_images(images["path"].to_pylist(), squares.shards, images["sha256"].to_pylist()))


@pytest.mark.parametrize(("kind", "width"), [("gist", 960), ("tinyimage", 3072)])
def test_the_table_has_them_as_they_are(kind: str, width: int, made: dict[str, Any], squares: Any) -> None:
    descriptor: GlobalDescriptor = gist() if kind == "gist" else tinyimage()
    outcome = made[kind]["outcome"]
    assert outcome.metrics == {"images": 36}
    assert outcome.plots == {"learning_curve": []}
    assert not list(made[kind]["checkpoint"].iterdir())
    found = vectors_of(made[kind]["features"])
    assert found.shape == (36, width)
    contents = contents_of(made[kind], squares)
    np.testing.assert_array_equal(found[[4, 11]], FeatureExtractor(descriptor)([contents[4], contents[11]]).features)
    saved = load_file(made[kind]["weights"] / "weights.safetensors")
    assert not saved["mean"].any()
    assert (saved["std"] == 1).all()


@pytest.mark.parametrize("kind", ["gist", "tinyimage"])
def test_a_file_is_described_as_in_the_table(kind: str, made: dict[str, Any], squares: Any) -> None:
    contents = contents_of(made[kind], squares)
    found = FeatureExtractor.load(made[kind]["weights"])([contents[9], b"junk", contents[13]])
    assert (found.readable, list(found.unreadable), found.grid, found.topics) == ([0, 2], [1], None, None)
    np.testing.assert_allclose(found.features, vectors_of(made[kind]["features"])[[9, 13]], atol=1e-6)


@pytest.mark.parametrize("kind", ["gist", "tinyimage"])
def test_made_again_they_are_the_same_bytes(kind: str, made: dict[str, Any], squares: Any) -> None:
    again = made_once(kind, squares, f"{kind}_again")
    for place in ("features", "weights"):
        assert sha256(again[place]) == sha256(made[kind][place])


def test_both_are_fused(made: dict[str, Any], squares: Any, tmp_path: Path) -> None:
    kinds = [made[kind] for kind in ("gist", "tinyimage")]
    features, networks = (tuple(one[place] for one in kinds) for place in ("features", "weights"))
    fuse(features, networks, tmp_path / "f.parquet", tmp_path / "cnn")  # type: ignore[arg-type]
    found = FeatureExtractor.load(tmp_path / "cnn")([contents_of(made["gist"], squares)[7]]).features
    own = [vectors_of(one["features"])[7:8] for one in kinds]
    np.testing.assert_allclose(found, fused(own), atol=1e-5)
    np.testing.assert_allclose(found, vectors_of(tmp_path / "f.parquet")[7:8], atol=1e-5)
    assert sorted(path.name for path in (tmp_path / "cnn").iterdir()) == sorted(PARTS)


@pytest.mark.parametrize("changes", [{"feature": "weak"}, {"feature": "tinyimage"}, {"image_size": 30}, {"colour": 1}])
def test_a_foreign_folder_is_refused_in_one_line(made: dict[str, Any], tmp_path: Path, changes: dict[str, Any]) -> None:
    folder = tmp_path / "cnn"
    copytree(made["gist"]["weights"], folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | changes))
    with pytest.raises(TrainingError, match="not a network of photocritic") as caught:
        FeatureExtractor.load(folder)
    assert "\n" not in str(caught.value)
