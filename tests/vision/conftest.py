"""A corpus of coloured squares whose topics are their colours."""

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import torch
from PIL import Image
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional

from photocritic import tables
from photocritic.config import CnnPretrainParams
from photocritic.images.shards import ShardWriter
from photocritic.vision import detectors

COLOURS = {"red": (220, 30, 30), "green": (30, 200, 40), "blue": (40, 40, 230)}

DETECTOR = "fasterrcnn_mobilenet_v3_large_320_fpn"


@dataclass(frozen=True)
class Squares:
    """The tables of a corpus, and where things go."""

    folder: Path
    images: Path
    shards: Path
    topics: Path
    words: Path

    def places(self, name: str) -> dict[str, Path]:
        out = self.folder / name
        inputs = {"images": self.images, "shards": self.shards, "topics": self.topics, "words": self.words}
        return inputs | {"weights": out / "cnn", "features": out / "f.parquet", "checkpoint": out / "checkpoint"}


def photograph(colour: tuple[int, int, int], seed: int) -> bytes:
    noise = np.random.default_rng(seed).integers(-25, 26, (40, 56, 3))
    stream = io.BytesIO()
    Image.fromarray(np.clip(np.array(colour) + noise, 0, 255).astype(np.uint8)).save(stream, "JPEG")
    return stream.getvalue()


def vectors(name: str, image_ids: list[str], matrix: np.ndarray) -> pa.Table:
    column = pa.FixedSizeListArray.from_arrays(pa.array(matrix.astype(np.float32).reshape(-1)), matrix.shape[1])
    return pa.table({"image_id": image_ids, name: column})


@pytest.fixture(scope="session")
def squares(tmp_path_factory: pytest.TempPathFactory) -> Squares:
    folder = tmp_path_factory.mktemp("squares")
    shards = folder / "shards"
    shards.mkdir()
    rows, topics = [], []
    with ShardWriter(shards) as writer:
        for index in range(36):
            name = list(COLOURS)[index % 3]
            content = photograph(COLOURS[name], index)
            split = "val" if index in (9, 10, 11) else "test" if index in (12, 13, 14) else "train"
            rows.append(
                {
                    "image_id": f"{index:02d}",
                    "path": writer.add(content, "JPEG"),
                    "width": 56,
                    "height": 40,
                    "format": "JPEG",
                    "sha256": hashlib.sha256(content).hexdigest(),
                    "split": split,
                    "labels": [name],
                }
            )
            topics.append(np.roll([0.8, 0.1, 0.1], index % 3))
    ids = [row["image_id"] for row in rows]
    places = Squares(folder, folder / "images.parquet", shards, folder / "topics.parquet", folder / "words.parquet")
    tables.save("images", places.images, tables.from_rows("images", rows))
    # The last two images have no topics, the first has no words.
    tables.save("topics", places.topics, vectors("topics", ids[:-2], np.array(topics)[:-2]))
    tables.save("words", places.words, vectors("words", ids[1:-2], np.full((33, 4), 0.25)))
    return places


@pytest.fixture
def params() -> CnnPretrainParams:
    """The real parameters, shrunken."""
    return CnnPretrainParams(image_size=32, epochs=3, batch_size=8, learning_rate=3e-3)


@pytest.fixture(scope="session")
def detector_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small detector of four kinds of objects, untrained, in which what differs between images is not lost."""
    torch.manual_seed(3)
    detector = detectors.build(DETECTOR, 5)
    for layer in detector.modules():
        if isinstance(layer, nn.Conv2d | nn.Linear):
            nn.init.kaiming_normal_(layer.weight)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
        if isinstance(layer, nn.BatchNorm2d):
            layer.momentum = None  # statistics of all that follows
    with torch.no_grad():
        detector.rpn.head.bbox_pred.weight *= 0.01  # else all proposals are the whole image
        detector.roi_heads.box_predictor.cls_score.weight *= 0.03  # else all probabilities are 1
        detector.train().backbone(functional.interpolate(torch.randn(16, 3, 8, 8), size=(64, 64)))
    file = tmp_path_factory.mktemp("detector") / "detector.safetensors"
    save_file(detector.state_dict(), file)
    return file


@pytest.fixture
def region_params(detector_file: Path) -> CnnPretrainParams:
    """Parameters of region features in which the small detector looks at small images."""
    return CnnPretrainParams(detector=DETECTOR, detector_weights=str(detector_file), detector_size=64, regions=4)
