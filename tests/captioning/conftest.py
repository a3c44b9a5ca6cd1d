"""A tiny world whose photographs have a colour, a thing and a place, and features that tell them."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from photocritic import tables, validation
from photocritic.captioning import train_captioner
from photocritic.config import LstmTrainParams, Variant
from photocritic.core.outcome import Outcome

COLOURS, THINGS, PLACES = ("red", "blue", "green", "white"), ("dog", "car", "boat", "bird"), ("snow", "sand", "grass")
TINY = LstmTrainParams(
    hidden=48,
    embedding=32,
    dropout=0.1,
    min_count=2,
    max_length=8,
    epochs=8,
    batch_size=32,
    learning_rate=2e-2,
    precision="32-true",
)


VARIANT = Variant(captions="filtered", features="weak")


@dataclass(frozen=True)
class World:
    """Where the tables of a made-up corpus lie, and what its images show."""

    captions: Path
    images: Path
    features: Path
    shown: dict[str, tuple[str, str, str]]
    vectors: dict[str, np.ndarray]


def train(world: World, out: Path, params: LstmTrainParams, **options: Any) -> Outcome:
    """Train the variant on a world."""
    checkpoint = out.parent / f"{out.name}.pt"
    return train_captioner.train(
        "cws", VARIANT, world.captions, world.images, world.features, out, params, 7, checkpoint, **options
    )


def describe(shown: tuple[str, str, str]) -> list[str]:
    colour, thing, place = shown
    return ["a", colour, thing, "on", "the", place]


def caption_row(image: str, number: int, tokens: list[str], **changes: object) -> dict[str, object]:
    row = {
        "comment_id": f"{image}-{number}",
        "image_id": image,
        "author_id": None,
        "text": " ".join(tokens) or "?",
        "style": None,
        "source": "made up",
        "tokens": tokens,
        "sentence": 0,
        "cleaned": " ".join(tokens),
        "ngrams": tokens,
        "form": None,
        "score": 30.0,
        "kept": True,
        "reason": "",
    }
    return row | changes


def image_row(image: str, split: str) -> dict[str, object]:
    return {
        "image_id": image,
        "path": f"00000.tar/{image}.jpg",
        "width": 8,
        "height": 8,
        "format": "JPEG",
        "sha256": hashlib.sha256(image.encode()).hexdigest(),
        "split": split,
        "labels": [],
    }


def feature_table(vectors: dict[str, np.ndarray]) -> pa.Table:
    matrix = np.stack(list(vectors.values())).astype(np.float32)
    column = pa.FixedSizeListArray.from_arrays(pa.array(matrix.reshape(-1)), matrix.shape[1])
    return pa.table({"image_id": list(vectors), "vector": column})


def write_world(folder: Path, splits: tuple[str, ...] = ("train",) * 8 + ("val", "test"), copies: int = 10) -> World:
    rng = np.random.default_rng(3)
    images, captions, shown, vectors = [], [], {}, {}
    for number, attributes in enumerate(list(product(COLOURS, THINGS, PLACES)) * copies):
        image = f"im{number:04d}"
        split = splits[int(rng.integers(len(splits)))]
        images.append(image_row(image, split))
        captions += [caption_row(image, copy, describe(attributes)) for copy in range(2)]
        shown[image] = attributes
        marks = [word in attributes for word in (*COLOURS, *THINGS, *PLACES)]
        vectors[image] = np.array(marks) * 2.0 + rng.normal(size=len(marks)) * 0.2
    world = World(folder / "captions.parquet", folder / "images.parquet", folder / "f.parquet", shown, vectors)
    tables.save("images", world.images, tables.from_rows("images", images))
    tables.save("captions", world.captions, tables.from_rows("captions", captions))
    tables.save("features", world.features, feature_table(vectors))
    return world


@pytest.fixture(scope="module", autouse=True)
def without_gates() -> Iterator[None]:
    """Pass every gate: they have tests of their own, and cost a second each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validation, "check", lambda *_, **__: None)
        yield


@pytest.fixture(scope="session")
def make_world() -> Callable[..., World]:
    return write_world


@pytest.fixture(scope="session")
def make_caption() -> Callable[..., dict[str, object]]:
    return caption_row


@pytest.fixture(scope="session")
def make_features() -> Callable[..., pa.Table]:
    return feature_table


@pytest.fixture(scope="session")
def tiny() -> LstmTrainParams:
    return TINY


@pytest.fixture(scope="module")
def world(without_gates: None, tmp_path_factory: pytest.TempPathFactory) -> World:
    return write_world(tmp_path_factory.mktemp("world"))
