"""Fused features are those of two networks behind one another, in the table as for a file."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from photocritic import tables
from photocritic.config import CnnPretrainParams
from photocritic.core.errors import TableError, TrainingError
from photocritic.images.shards import read_images
from photocritic.vision.extraction import FeatureExtractor
from photocritic.vision.fusion import fuse, fused
from photocritic.vision.pretraining import pretrain

VIEWS = 2


def read(path: Path, view: tables.Read = "pooled") -> np.ndarray:
    return np.concatenate([regions for _, regions in tables.read_regions(path, view)])


@pytest.fixture(scope="module")
def made(squares: Any) -> dict[str, dict[str, Any]]:
    params = CnnPretrainParams(image_size=32, views=VIEWS, fisher_size=64, fisher_components=2)
    places = {kind: squares.places(f"fused_{kind}") for kind in ("random", "fisher")}
    for kind, where in places.items():
        pretrain(kind, **where, params=params, seed=5)  # type: ignore[arg-type]
    fused = squares.places("fused")
    kinds = [places["random"], places["fisher"]]
    fused["rows"] = fuse(
        (kinds[0]["features"], kinds[1]["features"]),
        (kinds[0]["weights"], kinds[1]["weights"]),
        fused["features"],
        fused["weights"],
    )
    return places | {"fused": fused}


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.sqrt((vectors**2).mean(axis=-1, keepdims=True))


def test_vectors_stand_behind_one_another_each_normalised(made: dict[str, dict[str, Any]]) -> None:
    first, second, both = (read(made[kind]["features"]) for kind in ("random", "fisher", "fused"))
    assert made["fused"]["rows"] == 36
    np.testing.assert_allclose(both, np.concatenate([unit(first), unit(second)], axis=2), atol=2e-3, rtol=1e-3)
    assert tables.network_width(made["fused"]["weights"]) == both.shape[2] == 512 + 7
    np.testing.assert_array_equal(fused([np.array([[30.0, -40.0], [0, 0]]) / 2**0.5, np.ones((2, 1))])[1], [0, 0, 1])
    np.testing.assert_allclose(fused([np.array([[3.0, -4.0]]), np.ones((1, 1))]), [[0.6 * 2**0.5, -0.8 * 2**0.5, 1]])


def test_views_stand_before_the_features_of_what_has_none(made: dict[str, dict[str, Any]]) -> None:
    views, of_first = (read(made[kind]["features"], "views") for kind in ("fused", "random"))
    splits = np.array(pq.read_table(made["fused"]["images"])["split"].to_pylist())
    own = read(made["fisher"]["features"])[splits == "train"]
    assert views.shape == (36, VIEWS, 519)
    trained = views[splits == "train"]
    np.testing.assert_allclose(trained[..., :512], unit(of_first[splits == "train"]), atol=2e-3, rtol=1e-3)
    for view in range(VIEWS):
        np.testing.assert_allclose(trained[:, view, 512:], unit(own[:, 0]), atol=2e-3, rtol=1e-3)
    assert not views[splits != "train"].any()


def test_a_file_is_described_as_in_the_table(made: dict[str, dict[str, Any]], squares: Any, tmp_path: Path) -> None:
    images = pq.read_table(made["fused"]["images"])
    contents = list(read_images(images["path"].to_pylist(), squares.shards, images["sha256"].to_pylist()))
    extractor = FeatureExtractor.load(made["fused"]["weights"])
    found = extractor([contents[9], b"junk", contents[13]])
    assert (found.readable, list(found.unreadable), found.grid) == ([0, 2], [1], None)
    np.testing.assert_allclose(found.features, read(made["fused"]["features"])[[9, 13], 0], atol=1e-2)
    assert found.topics is not None, "the second network knows topics, where the first does not"
    assert found.topics.argmax(axis=1).tolist() == [0, 1]
    extractor.save(tmp_path / "saved")
    again = FeatureExtractor.load(tmp_path / "saved")
    assert again.width == extractor.width == 519
    np.testing.assert_array_equal(again([contents[9]]).features, extractor([contents[9]]).features)


def test_features_of_other_images_are_refused(made: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    whole = pq.read_table(made["fisher"]["features"])
    turned = whole.take(pa.array([*range(1, 36), 0]))
    for number, other in enumerate((whole.slice(1), turned)):
        path = tmp_path / f"{number}.parquet"
        tables.save("features", path, other, rows=len(other))
        with pytest.raises(TableError, match="not of the same images"):
            fuse(
                (made["random"]["features"], path),
                (made["random"]["weights"], made["fisher"]["weights"]),
                tmp_path / "out.parquet",
                tmp_path / f"weights_{number}",
            )
    assert not (tmp_path / "out.parquet").exists()


def test_a_folder_with_one_network_missing_is_refused(made: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    with pytest.raises(TrainingError):
        FeatureExtractor.load(tmp_path)
    with pytest.raises(TableError, match="damaged model"):
        tables.network_width(tmp_path)
