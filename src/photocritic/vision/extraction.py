"""Features of images: of a whole corpus into its table, and of single files for captioning."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from photocritic import logs
from photocritic.errors import CorpusError
from photocritic.training.seeding import deterministic
from photocritic.vision.augment import plain_view
from photocritic.vision.images import Pixels, decode
from photocritic.vision.network import Network

_BATCH = 64  # images described at once

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Extraction:
    """Features of those images that could be read.

    Attributes
    ----------
    features : ndarray of float32, (N, D)
        A row for each readable image.
    topics : ndarray of float32, (N, K), or None
        Topic probabilities, where the network has learned topics.
    readable : list of int
        Positions of the rows' images among those given.
    unreadable : dict of int to str
        Why an image has no row, by its position.
    """

    features: Vectors
    topics: Vectors | None
    readable: list[int]
    unreadable: dict[int, str]


class FeatureExtractor:
    """A trained network that turns image files into the features its captioners were trained on.

    Parameters
    ----------
    network : Network
        The network, with its standardisation.
    """

    def __init__(self, network: Network) -> None:
        self.network = network.eval()
        self.config = network.config

    @classmethod
    def load(cls, folder: Path) -> "FeatureExtractor":
        """Load what cnn_pretrain wrote into its weights folder.

        Raises
        ------
        TrainingError
            The folder is missing or damaged.
        """
        network = Network.load(folder)
        return cls(network.to("cuda") if torch.cuda.is_available() else network)

    @property
    def width(self) -> int:
        """Numbers in a feature vector, D."""
        return self.network.width

    def __call__(self, images: Sequence[Path | bytes]) -> Extraction:
        """Describe images.

        Parameters
        ----------
        images : sequence of Path or bytes
            Image files, or their contents.

        Returns
        -------
        Extraction
            Features and topics of the readable ones, and why the others are not.
        """
        squares, readable, unreadable = [], [], {}
        for position, image in enumerate(images):
            try:
                content = image if isinstance(image, bytes) else image.read_bytes()
                squares.append(decode(content, self.config.eval_size))
                readable.append(position)
            except (CorpusError, OSError) as error:
                unreadable[position] = str(error)
        size = self.config.eval_size
        pixels = np.stack(squares) if squares else np.zeros((0, size, size, 3), dtype=np.uint8)
        features, topics = self._describe(pixels)
        return Extraction(features, topics, readable, unreadable)

    def _describe(self, pixels: Pixels) -> tuple[Vectors, Vectors | None]:
        features = [np.zeros((0, self.width), dtype=np.float32)]
        topics = [np.zeros((0, self.config.outputs.get("topics", 0)), dtype=np.float32)]
        for raw, probabilities in describe(self.network, pixels):
            features.append(self.network.standardise(raw).cpu().numpy())
            if "topics" in probabilities:
                topics.append(probabilities["topics"].cpu().numpy())
        return np.concatenate(features), np.concatenate(topics) if "topics" in self.config.outputs else None


def describe(network: Network, pixels: Pixels) -> Iterator[tuple[torch.Tensor, dict[str, torch.Tensor]]]:
    """Describe stored images a batch at a time, in float32 and evaluation mode.

    Parameters
    ----------
    network : Network
        The network.
    pixels : ndarray of uint8, (N, S, S, 3)
        Images as `decode` gives them, in memory or mapped.

    Yields
    ------
    (Tensor, dict of str to Tensor)
        Raw features (B, grid * grid, C) and the heads' probabilities, as `Network.describe` gives them.
    """
    device = next(network.parameters()).device
    network.eval()
    for start in range(0, len(pixels), _BATCH):
        with torch.inference_mode(), deterministic():
            batch = torch.from_numpy(np.array(pixels[start : start + _BATCH])).to(device)
            yield network.describe(plain_view(batch))


def extract(network: Network, pixels: Pixels, train: NDArray[np.int64], scratch: Path) -> Iterator[Vectors]:
    """Extract the features of a whole corpus, standardised over its training images.

    The network's mean and standard deviation are set on the way, before the first batch is given.

    Parameters
    ----------
    network : Network
        The network.
    pixels : ndarray of uint8, (N, S, S, 3)
        The corpus, memory-mapped.
    train : ndarray of int64
        Rows to take mean and variance over.
    scratch : Path
        A file to hold raw features until their statistics are known; the caller deletes it.

    Yields
    ------
    ndarray of float32, (B, D)
        Feature vectors in the order of the rows.
    """
    shape = (len(pixels), network.config.grid**2, len(network.mean))
    raw = np.memmap(scratch, dtype=np.float32, mode="w+", shape=shape)
    start = 0
    total = -(-len(pixels) // _BATCH)
    for batch, _ in logs.progress(describe(network, pixels), "extracting features", total=total):
        raw[start : start + len(batch)] = batch.cpu().numpy()
        start += len(batch)
    _set_statistics(network, raw, train)
    for start in range(0, len(raw), _BATCH):
        yield network.standardise(torch.from_numpy(np.array(raw[start : start + _BATCH]))).numpy()


def _set_statistics(network: Network, raw: Vectors, train: NDArray[np.int64]) -> None:
    """Set mean and deviation by channel, summed in float64 a batch at a time."""
    total = np.zeros((2, raw.shape[2]))
    for start in range(0, len(train), _BATCH):
        values = np.asarray(raw[train[start : start + _BATCH]], dtype=np.float64).reshape(-1, raw.shape[2])
        total += (values.sum(axis=0), (values**2).sum(axis=0))
    mean, square = total / (len(train) * raw.shape[1])
    network.cpu()
    network.mean.copy_(torch.from_numpy(mean))
    network.std.copy_(torch.from_numpy(np.sqrt(np.maximum(square - mean**2, 0.0))))
