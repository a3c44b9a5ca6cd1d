"""A tiny corpus of photographs of one colour above another, which captions name."""

import hashlib
import io
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from PIL import Image
from torch import nn

from photocritic import tables
from photocritic.captioning import Photographs
from photocritic.images.shards import ShardWriter
from photocritic.vision.extraction import describe_corpus, extract
from photocritic.vision.network import Network, NetworkConfig
from photocritic.vision.pixels import decoded
from photocritic.vision.targets import features_batch, read_corpus

COLOURS = {"red": (220, 30, 30), "green": (30, 200, 40), "blue": (40, 40, 230), "white": (240, 240, 240)}
SIZE = 32


@dataclass(frozen=True)
class Corpus:
    """Where its tables and photographs lie, and what the photographs show."""

    folder: Path
    captions: Path
    images: Path
    features: Path
    photographs: Photographs
    files: Path
    shown: dict[str, str]


def jpeg(above: str, below: str, seed: int) -> bytes:
    pixels = np.zeros((SIZE, SIZE, 3))
    pixels[: SIZE // 2], pixels[SIZE // 2 :] = COLOURS[above], COLOURS[below]
    pixels += np.random.default_rng(seed).integers(-12, 13, pixels.shape)
    stream = io.BytesIO()
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(stream, "PNG")
    return stream.getvalue()


def small_backbone(_: str) -> nn.Sequential:
    """Stand in for a ResNet: as its layers, but few and narrow."""
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 16, 3, 2, 1), nn.BatchNorm2d(16), nn.ReLU()
    )


def write(folder: Path, caption_row, copies: int = 3, val: int = 8) -> Corpus:
    """Write the corpus, a small untrained network, and its features."""
    (folder / "shards").mkdir(parents=True)
    (folder / "files").mkdir()
    images, captions, shown = [], [], {}
    with ShardWriter(folder / "shards") as writer:
        for number, (above, below) in enumerate(list(product(COLOURS, COLOURS)) * copies):
            image, content = f"im{number:03d}", jpeg(above, below, number)
            (folder / "files" / f"{image}.png").write_bytes(content)
            split = "val" if number < val else "test" if number < 2 * val else "train"
            images.append(
                {"image_id": image, "path": writer.add(content, "PNG"), "width": SIZE, "height": SIZE}
                | {"format": "PNG", "sha256": hashlib.sha256(content).hexdigest(), "split": split, "labels": []}
            )
            shown[image] = f"{above} over {below}"
            captions += [caption_row(image, copy, shown[image].split()) for copy in range(1 + number % 3)]
    tables.save("images", folder / "images.parquet", tables.from_rows("images", images))
    tables.save("captions", folder / "captions.parquet", tables.from_rows("captions", captions))
    network = Network(NetworkConfig("weak", "resnet18", SIZE, 2, {}, []))
    corpus = read_corpus(folder / "images.parquet")
    pixels = decoded(corpus, folder / "shards", SIZE, folder / "pixels.npy")
    train = np.flatnonzero(np.array(corpus.splits) == "train")
    [described] = extract(network, describe_corpus(network, pixels), len(pixels), train, folder / "raw")
    tables.save("features", folder / "weak.parquet", features_batch(corpus.image_ids, *described))
    network.save(folder / "cnn")
    return Corpus(
        folder,
        folder / "captions.parquet",
        folder / "images.parquet",
        folder / "weak.parquet",
        Photographs(folder / "shards", folder / "cnn"),
        folder / "files",
        shown,
    )
