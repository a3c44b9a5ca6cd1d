"""How close training is to its model's own speed, how fast captioners learn, and what decoding together is worth.

Usage: python -m bench.train [--toy] [--images N] [--size S] [--batch B] [--steps N] [--captions N]

Photographs of random shapes go as JPEGs into a shard, are decoded once and trained on with random views by the
project's own loop; beside it the same model trains on one random tensor that lies ready, in turns, so that both meet
the same machine. Captioners learn beside an LSTM that is unrolled word by word, in turns likewise. Then a Show and Tell
of hidden size 512 with random weights over 3,000 words captions the same features by beam search one at a time and all
at once, and photographs from their files on.
"""

import argparse
import hashlib
import io
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFilter
from torch import Tensor, nn

from bench.captioners import captioning, learning
from bench.measuring import Row, Size, table
from photocritic.captioning.captioner import Captioner, ModelConfig, build
from photocritic.captioning.decoding import Decoded, Decoding, decode
from photocritic.captioning.vocabulary import EOS
from photocritic.images.decoding import Pixels
from photocritic.images.shards import ShardWriter
from photocritic.training.loop import Indices, Plan, fit
from photocritic.training.optimizers import make_optimizer
from photocritic.vision.network import Network, NetworkConfig
from photocritic.vision.pixels import decoded, stored_size
from photocritic.vision.random_views import random_view
from photocritic.vision.targets import Corpus

TOPICS, WORDS, FEATURES = 50, 3000, 512
ROUNDS = 3  # turns that each of two ways gets by default; the median counts


def photograph(rng: np.random.Generator) -> bytes:
    """Draw shapes of many colours and blur them, as large as a photograph of the web."""
    image = Image.new("RGB", (500, 375), tuple(rng.integers(0, 256, 3).tolist()))
    draw = ImageDraw.Draw(image)
    for _ in range(30):
        x, y, width, height = rng.integers(0, 300, 4).tolist()
        draw.ellipse((x, y, x + width, y + height), fill=tuple(rng.integers(0, 256, 3).tolist()))
    stream = io.BytesIO()
    image.filter(ImageFilter.GaussianBlur(1)).save(stream, "JPEG", quality=90)
    return stream.getvalue()


def corpus_of(images: int, shards: Path) -> Corpus:
    """Write photographs into shards."""
    rng = np.random.default_rng(0)
    paths, hashes = [], []
    with ShardWriter(shards) as writer:
        for _ in range(images):
            content = photograph(rng)
            paths.append(writer.add(content, "JPEG"))
            hashes.append(hashlib.sha256(content).hexdigest())
    return Corpus([*map(str, range(images))], paths, ["train"] * images, [[]] * images, hashes)


def train(data: Callable[[Indices], Tensor], options: argparse.Namespace, folder: Path) -> dict[str, float]:
    """Train a ResNet18 for some steps; return images/s and the share of time spent waiting for data."""
    torch.manual_seed(0)
    config = NetworkConfig("weak", "resnet18", options.size, 1, {"topics": TOPICS}, [])
    network = Network(config)
    target = torch.full((options.batch, TOPICS), 1 / TOPICS)
    told: list[dict[str, float]] = []

    def loss(model: nn.Module, rows: Indices) -> Tensor:
        logits = model(data(rows))["topics"]
        return nn.functional.cross_entropy(logits.float(), target[: len(rows)].to(logits.device))

    plan = Plan("bench", 2, options.batch, 0, "bf16-mixed", unit="images")  # the first epoch warms up
    adam = make_optimizer("adamw", network, 1e-3, 0.05)
    examples = options.batch * options.steps
    fit(network, adam, None, examples, loss, plan, folder / "c.pt", on_epoch=lambda _, metrics: told.append(metrics))
    (folder / "c.pt").unlink()
    return told[-1]


def data_pipeline(options: argparse.Namespace, folder: Path) -> list[Row]:
    """Measure the speed of training on photographs beside that on a tensor in memory."""
    (folder / "shards").mkdir()
    corpus = corpus_of(options.images, folder / "shards")
    began = time.perf_counter()
    pixels: Pixels = decoded(corpus, folder / "shards", stored_size(options.size), folder / "pixels.npy")
    once = Row("training: photographs decoded once", len(pixels) / (time.perf_counter() - began), "images/s")
    ready = torch.randn(options.batch, 3, options.size, options.size).contiguous(memory_format=torch.channels_last)
    ready = ready.to("cuda" if torch.cuda.is_available() else "cpu")

    def real(rows: Indices) -> Tensor:
        return random_view(torch.from_numpy(pixels[rows % len(pixels)]).to(ready.device), options.size, 0.5)

    ways = {"photographs": real, "ready tensor": lambda rows: ready[: len(rows)]}
    found: dict[str, list[dict[str, float]]] = {name: [] for name in ways}
    for _ in range(options.rounds):
        for name, way in ways.items():
            found[name].append(train(way, options, folder))
    speeds = {name: float(np.median([run["images_per_second"] for run in runs])) for name, runs in found.items()}
    wait = float(np.median([run["data_wait_share"] for run in found["photographs"]]))
    real_speed, ready_speed = speeds.values()
    against = f"{real_speed / ready_speed:.3f} of that on a ready tensor; waits for data {wait:.1%} of the time"
    ready_row = Row("training on a ready tensor", ready_speed, "images/s")
    return [once, ready_row, Row("training on photographs", real_speed, "images/s", against)]


def captioner() -> Captioner:
    """Build a Show and Tell as sure of its words as a trained one, whose captions have 1 to 20 words, 12 on average."""
    torch.manual_seed(0)
    model = build("show_tell", ModelConfig(FEATURES, WORDS, 512, 512, 0.0)).eval()
    output = model.get_submodule("words.output")
    with torch.no_grad():
        output.weight.mul_(60.0)
        output.bias[EOS] += 10.0
    return model


def decoding(options: argparse.Namespace, model: Captioner) -> list[Row]:
    """Measure the speed of beam search over all images at once beside that of one at a time."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model, features = model.to(device), torch.randn(options.captions, 1, FEATURES, device=device)
    beam = Decoding(beam=3, max_length=20)
    decode(model, features[:2], beam)
    seconds: dict[str, list[float]] = {"single": [], "batch": []}
    for _ in range(options.rounds):
        began = time.perf_counter()
        singles = [decode(model, features[row : row + 1], beam) for row in range(len(features))]
        seconds["single"].append(time.perf_counter() - began)
        began = time.perf_counter()
        batch = decode(model, features, beam)
        seconds["batch"].append(time.perf_counter() - began)
    slow, fast = (float(np.median(times)) for times in seconds.values())
    words = (batch.tokens != 0).sum(dim=2).float()
    same = "identical captions" if identical(singles, batch) else "OTHER captions"
    against = f"{slow / fast:.1f} times one at a time, {same} (of {int(words.min())} to {int(words.max())} words)"
    return [
        Row("beam search, one image at a time", len(features) / slow, "images/s"),
        Row(f"beam search, {len(features)} images at once", len(features) / fast, "images/s", against),
    ]


def identical(singles: list[Decoded], batch: Decoded) -> bool:
    """Return whether both ways caption each image with the same words."""
    return torch.equal(torch.cat([single.tokens for single in singles]), batch.tokens)


def run(size: Size) -> list[Row]:
    """Run all comparisons with the usual options, or with few images."""
    few = "--images 8 --size 32 --batch 4 --steps 2 --captions 2 --rounds 1" if size == "toy" else ""
    return compare(_parser().parse_args(few.split()))


def compare(options: argparse.Namespace) -> list[Row]:
    """Run all comparisons."""
    with TemporaryDirectory() as folder:
        rows = data_pipeline(options, Path(folder))
    rows += learning(options)
    model, rng = captioner(), np.random.default_rng(0)
    rows += decoding(options, model)
    return rows + captioning([photograph(rng) for _ in range(options.captions)], options.size, model)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--toy", action="store_true", help="on as little as shows that it works")
    parser.add_argument("--images", type=int, default=512, help="photographs in the shard")
    parser.add_argument("--size", type=int, default=80, help="pixels of a view; as cnn_pretrain.image_size")
    parser.add_argument("--batch", type=int, default=32, help="as cnn_pretrain.batch_size")
    parser.add_argument("--steps", type=int, default=16, help="steps of an epoch; one warms up, one is timed")
    parser.add_argument("--captions", type=int, default=256, help="images to caption")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="turns of each of two ways")
    return parser


if __name__ == "__main__":
    given = _parser().parse_args()
    sys.stdout.write(table(run("toy") if given.toy else compare(given)))
