"""How fast captioners learn beside an LSTM unrolled word by word, and photographs become captions (`bench.train`)."""

import argparse
import time
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from bench.measuring import Row
from photocritic.captioning.caption_dataset import Pairs
from photocritic.captioning.captioner import ModelConfig, build
from photocritic.captioning.inference import CaptioningPipeline, Settings
from photocritic.captioning.model_predictor import ModelPredictor
from photocritic.captioning.objective import cross_entropy
from photocritic.captioning.vocabulary import EOS, PAD, SPECIAL, Vocabulary
from photocritic.config import Decoding
from photocritic.vision.extraction import FeatureExtractor
from photocritic.vision.network import Network, NetworkConfig

WORDS, FEATURES, WIDTH, CELLS = 3000, 512, 512, 16
LEARNERS = ("show_tell", "neuraltalk2", "up_down")


class Straightforward(nn.Module):
    """A captioner written as its equations stand: a step, its scores and their softmax, word after word."""

    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Return the log-probabilities after each of (B, T) tokens, (B, T, V), given regions (B, R, C)."""
        raise NotImplementedError

    def loss(self, pairs: Pairs, rows: np.ndarray) -> Tensor:
        """Compute the mean cross-entropy a token over a batch padded to its longest caption."""
        device = next(self.parameters()).device
        features, inputs, targets = (torch.from_numpy(part).to(device) for part in pairs.batch(rows))
        scores = self(features, inputs).gather(2, targets[..., None])[..., 0]
        mask = targets != PAD
        return -(scores * mask).sum() / mask.sum()


class Unrolled(Straightforward):
    """NeuralTalk2's model as its PyTorch form computes it."""

    def __init__(self) -> None:
        super().__init__()
        self.image, self.embed = nn.Linear(FEATURES, WIDTH), nn.Embedding(WORDS, WIDTH)
        self.i2h, self.h2h = nn.Linear(WIDTH, 5 * WIDTH), nn.Linear(WIDTH, 5 * WIDTH)
        self.logit, self.dropout = nn.Linear(WIDTH, WORDS), nn.Dropout(0.5)

    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Return the log-probabilities after each of (B, T) tokens, (B, T, V)."""
        features = features.mean(dim=1)
        hidden = cell = features.new_zeros(len(features), WIDTH)
        found = []
        for place in range(tokens.shape[1] + 1):
            vector = self.image(features) if place == 0 else self.embed(tokens[:, place - 1])
            sums = self.i2h(vector) + self.h2h(hidden)
            enter, forget, output = torch.sigmoid(sums[:, : 3 * WIDTH]).chunk(3, dim=1)
            cell = forget * cell + enter * torch.maximum(*sums[:, 3 * WIDTH :].chunk(2, dim=1))
            hidden = self.dropout(output * torch.tanh(cell))
            if place:
                found.append(torch.log_softmax(self.logit(hidden), dim=1))
        return torch.stack(found, dim=1)


class UnrolledUpDown(Straightforward):
    """Up-Down as Anderson et al. 2018 write it, section 3.2, Eq. 1-7, with regions projected to the LSTMs' width."""

    def __init__(self) -> None:
        super().__init__()
        self.regions, self.embed = nn.Linear(FEATURES, WIDTH), nn.Embedding(WORDS, WIDTH)
        self.look, self.say = nn.LSTMCell(3 * WIDTH, WIDTH), nn.LSTMCell(2 * WIDTH, WIDTH)
        self.key, self.query, self.weight = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 1)
        self.logit, self.dropout = nn.Linear(WIDTH, WORDS), nn.Dropout(0.5)

    def forward(self, features: Tensor, tokens: Tensor) -> Tensor:
        """Return the log-probabilities; see `Straightforward.forward`."""
        regions = self.regions(features)
        look = say = (features.new_zeros(len(features), WIDTH),) * 2
        found = []
        for word in tokens.unbind(dim=1):
            look = self.look(torch.cat([say[0], regions.mean(dim=1), self.embed(word)], dim=1), look)
            scores = self.weight(torch.tanh(self.key(regions) + self.query(look[0])[:, None]))
            attended = (torch.softmax(scores, dim=1) * regions).sum(dim=1)
            say = self.say(torch.cat([attended, look[0]], dim=1), say)
            found.append(torch.log_softmax(self.logit(self.dropout(say[0])), dim=1))
        return torch.stack(found, dim=1)


def captions(count: int, regions: int) -> Pairs:
    """Draw captions of 4 to 20 words, 10 on average, each with an image of its own."""
    rng = np.random.default_rng(0)
    lengths = np.clip(rng.poisson(10, count), 4, 20) + 1
    tokens = rng.integers(len(SPECIAL), WORDS, int(lengths.sum())).astype(np.int32)
    tokens[np.cumsum(lengths) - 1] = EOS
    features = rng.normal(size=(count, regions, FEATURES)).astype(np.float32)
    return Pairs(features, np.arange(count, dtype=np.int32), np.concatenate([[0], np.cumsum(lengths)]), tokens)


def learning(options: argparse.Namespace) -> list[Row]:
    """Measure how many captions a second each model learns, in turns with the unrolled one."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    batch = 8 if options.steps < 4 else 128
    straightforward: dict[str, Straightforward] = {"LSTM": Unrolled(), "Up-Down": UnrolledUpDown()}
    models = {name: model.to(device) for name, model in straightforward.items()} | {
        name: build(name, ModelConfig(FEATURES, WORDS, WIDTH, WIDTH, 0.5, CELLS if name == "up_down" else 1)).to(device)
        for name in LEARNERS
    }
    ways: dict[str, Callable[[np.ndarray], Tensor]] = {}
    pooled, grids = captions(4 * batch, 1), captions(4 * batch, CELLS)
    for name, model in straightforward.items():
        pairs = grids if name == "Up-Down" else pooled
        ways[name] = lambda rows, model=model, pairs=pairs: model.loss(pairs, rows)
    for name in LEARNERS:
        pairs = grids if name == "up_down" else pooled
        ways[name] = lambda rows, name=name, pairs=pairs: cross_entropy(models[name], pairs, rows, 0.0)
    optimizers = {name: torch.optim.Adam(model.parameters(), 4e-4, fused=True) for name, model in models.items()}
    speeds: dict[str, list[float]] = {name: [] for name in models}
    for turn in range(options.rounds + 1):  # the first one warms up
        for name, way in ways.items():
            began = time.perf_counter()
            for step in range(4):
                optimizers[name].zero_grad()
                way(np.arange(step * batch, (step + 1) * batch)).backward()
                optimizers[name].step()
            if turn:
                speeds[name].append(4 * batch / (time.perf_counter() - began))
    medians = {name: float(np.median(found)) for name, found in speeds.items()}
    bases = {name: medians.pop(name) for name in straightforward}
    return [
        Row("learning captions: a maxout LSTM word by word", bases["LSTM"], "captions/s"),
        Row(f"learning captions: Up-Down word by word, {CELLS} regions", bases["Up-Down"], "captions/s"),
    ] + [
        Row(
            f"learning captions: {name}",
            speed,
            "captions/s",
            f"{speed / bases[base]:.2f} times the {base} word by word",
        )
        for name, speed in medians.items()
        for base in ["Up-Down" if name == "up_down" else "LSTM"]
    ]


def captioning(photographs: list[bytes], size: int, captioner: nn.Module) -> list[Row]:
    """Measure how many photographs a second become captions, decoding, features and beam search included."""
    torch.manual_seed(0)
    network = Network(NetworkConfig("random", "resnet18", size, 1, {}, []))
    config = ModelConfig(FEATURES, WORDS, WIDTH, WIDTH, 0.0)
    vocabulary = Vocabulary(tuple(f"w{number}" for number in range(WORDS - len(SPECIAL))))
    settings = Settings(
        variant="bench", captions="raw", features="random", seed=0, decoding=Decoding(beam=3, max_length=20)
    )
    predictor = ModelPredictor(captioner, vocabulary, "show_tell", config)
    pipeline = CaptioningPipeline(predictor, settings, FeatureExtractor(network))
    pipeline.caption(photographs[:2])
    began = time.perf_counter()
    pipeline.caption(photographs)
    return [Row("JPEG files to captions", len(photographs) / (time.perf_counter() - began), "images/s")]
