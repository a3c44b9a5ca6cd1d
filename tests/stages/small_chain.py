"""What the chain computes with floating point numbers, made small: writes a hash of each part's numbers as JSON.

Started by stages/run in a project of the test's, or by itself: python tests/stages/small_chain.py OUT
"""

import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from torch import Tensor, nn

from photocritic.captioning.captioner import ModelConfig
from photocritic.captioning.models.show_tell import ShowTell
from photocritic.config import CnnPretrainParams, LdaParams
from photocritic.retrieval.cosine_index import CosineIndex
from photocritic.sample.scene import generate
from photocritic.topics import engines
from photocritic.topics.document_terms import Documents
from photocritic.training.loop import Indices, Plan
from photocritic.training.recipe import Position, Recipe, Task, TrainingRun, train
from photocritic.vision.network import Network, NetworkConfig
from photocritic.vision.targets import Targets
from photocritic.vision.train_network import train_network

IMAGES, TOPICS, WORDS, SIDE, LONGEST = 24, 6, 40, 32, 9
VOCABULARY = 900  # enough for `training.linear_layers` to compute the scores of words


def main() -> None:
    """Compute each part from random data, the parts apart from each other."""
    random = np.random.default_rng(5)
    with TemporaryDirectory() as folder:
        cnn = network(random, Path(folder) / "cnn.pt")
        captioner = show_tell(random, Path(folder) / "captioner.pt")
    parts = {
        "photographs": [np.frombuffer(scene.image, np.uint8) for scene in generate(6)],
        "topics": topics(random),
        "cnn": weights(cnn),
        "features": [cnn.describe(torch.rand(5, 3, SIDE, SIDE)).pooled.detach().numpy()],
        "captioner": weights(captioner),
        "neighbours": neighbours(random),
    }
    Path(sys.argv[1]).write_text(json.dumps({name: digest(arrays) for name, arrays in parts.items()}))


def digest(arrays: Iterable[NDArray]) -> str:
    return hashlib.sha256(b"".join(np.ascontiguousarray(one).tobytes() for one in arrays)).hexdigest()


def weights(model: nn.Module) -> list[NDArray]:
    return [tensor.numpy() for tensor in model.state_dict().values()]


def topics(random: np.random.Generator) -> list[NDArray]:
    counts = sparse.csr_array(random.poisson(0.3, (60, WORDS)).astype(np.int32))
    terms = [f"term{number}" for number in range(WORDS)]
    documents = Documents([f"{row:02}" for row in range(60)], terms, counts)
    model = engines.fit(documents, LdaParams(topics=TOPICS, passes=3), seed=1)
    return [model.pseudo_counts, model.infer(["term1", "term2", "term2"])]


def network(random: np.random.Generator, checkpoint: Path) -> Network:
    torch.manual_seed(1)
    net = Network(NetworkConfig("weak", "resnet18", SIDE, 1, {"topics": TOPICS, "words": WORDS}, []))
    heads = {
        name: random.dirichlet(np.ones(size), IMAGES).astype(np.float32) for name, size in net.config.outputs.items()
    }
    rows = {"train": np.arange(16), "val": np.arange(16, IMAGES)}
    pixels = random.integers(0, 256, (IMAGES, SIDE, SIDE, 3), np.uint8)
    params = CnnPretrainParams(image_size=SIDE, epochs=2, batch_size=8)
    run = TrainingRun(seed=3, checkpoint=checkpoint)
    train_network(net, pixels, pixels, Targets(rows, heads), params=params, run=run)
    return net.eval()


def show_tell(random: np.random.Generator, checkpoint: Path) -> ShowTell:
    torch.manual_seed(2)
    model = ShowTell(ModelConfig(512, VOCABULARY, hidden=48, embedding=32, dropout=0.3))
    features = torch.from_numpy(random.standard_normal((IMAGES, 1, 512), np.float32))
    words = torch.from_numpy(random.integers(0, VOCABULARY, (IMAGES, LONGEST)))

    def loss(current: nn.Module, batch: Indices, _position: Position) -> Tensor:
        scores = current(features[batch], words[batch, :-1])
        return nn.functional.cross_entropy(scores.flatten(0, 1), words[batch, 1:].flatten(), label_smoothing=0.1)

    plan = Plan(label="captioner", epochs=2, batch_size=8, seed=3, grad_clip=5.0)
    recipe = Recipe(plan, 0.003, weight_decay=0.05, schedule="one_cycle")
    train(model, Task(IMAGES, loss, ("val_loss", "min")), recipe, TrainingRun(seed=3, checkpoint=checkpoint))
    return model


def neighbours(random: np.random.Generator) -> list[NDArray]:
    index = CosineIndex([f"{row}" for row in range(40)], random.standard_normal((40, 70)))
    found = index.search(random.standard_normal((25, 70)), 5)
    return [np.array([near.similarity for row in found for near in row])]


if __name__ == "__main__":
    main()
