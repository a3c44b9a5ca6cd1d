"""Features of images: of a whole corpus into its table, and of single files for captioning."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from photocritic.core import logs
from photocritic.core.errors import TrainingError, UnreadableImage
from photocritic.core.paths import PARTS, parts_of
from photocritic.images.decoding import Pixels
from photocritic.images.decoding_pool import shared
from photocritic.images.worker_main import Operation, Task
from photocritic.training.weights import load_weights
from photocritic.vision.description import Describer, Description, describe, on_the_fastest_device
from photocritic.vision.descriptors import GistDescriptor, TinyimageDescriptor
from photocritic.vision.fisher import FisherNetwork
from photocritic.vision.fusion import fused
from photocritic.vision.network import Network
from photocritic.vision.regions import RegionNetwork

if TYPE_CHECKING:
    from photocritic.tables import Stored

_BATCH = 64  # images standardised at once
_KINDS: dict[str, type[Describer]] = {  # by kind of features; a Network makes all others
    "regions": RegionNetwork,
    "fisher": FisherNetwork,
    "gist": GistDescriptor,
    "tinyimage": TinyimageDescriptor,
}

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Squares:
    """Those of some images that could be read.

    Attributes
    ----------
    pixels : ndarray of uint8, (N, S, S, 3)
        A square for each readable image.
    readable : list of int
        Positions of the squares' images among those given.
    unreadable : dict of int to str
        Why an image has no square, by its position.
    """

    pixels: Pixels
    readable: list[int]
    unreadable: dict[int, str]


def decode_readable(images: Sequence[Path | bytes], size: int) -> Squares:
    """Decode image files, or their contents, and pass over those that cannot be read.

    Parameters
    ----------
    images : sequence of Path or bytes
        Of any format that is read (`photocritic.images`).
    size : int
        Side of the squares in pixels.

    Returns
    -------
    Squares
        The middle of each image, its short side scaled to `size`, in the order of the images.
    """
    squares, readable, unreadable = [], [], {}
    for position, decoded in enumerate(shared().map(images, lambda image: image, Task(Operation.SQUARE, size))):
        if isinstance(decoded.answer, np.ndarray):
            squares.append(decoded.answer)
            readable.append(position)
        elif isinstance(decoded.answer, UnreadableImage):
            unreadable[position] = str(decoded.answer)
    pixels = np.stack(squares) if squares else np.zeros((0, size, size, 3), dtype=np.uint8)
    return Squares(pixels, readable, unreadable)


@dataclass(frozen=True)
class Extraction:
    """Features of those images that could be read.

    Attributes
    ----------
    features : ndarray of float32, (N, C)
        A pooled vector for each readable image.
    grid : ndarray of float32, (N, R, C), or None
        Its cells or regions, where the network makes them.
    topics : ndarray of float32, (N, K), or None
        Topic probabilities, where the network has learned topics.
    readable : list of int
        Positions of the rows' images among those given.
    unreadable : dict of int to str
        Why an image has no row, by its position.
    """

    features: Vectors
    grid: Vectors | None
    topics: Vectors | None
    readable: list[int]
    unreadable: dict[int, str]

    def view(self, view: "Stored") -> Vectors:
        """Return the pooled vectors as (N, 1, C), or the grid as (N, R, C).

        Raises
        ------
        TrainingError
            The network makes no grid.
        """
        if view == "pooled":
            return self.features[:, None]
        if self.grid is None:
            raise TrainingError("this network makes no grid of features; train with cnn_pretrain.grid of 2 or more")
        return self.grid


class FeatureExtractor:
    """A trained network that turns image files into the features its captioners were trained on.

    Parameters
    ----------
    *networks : Describer
        The network, with its standardisation; or two, whose pooled features are fused: the second's stand behind the
        first's.
    """

    def __init__(self, *networks: Describer) -> None:
        self.networks = tuple(network.eval() for network in networks)

    @classmethod
    def load(cls, folder: Path) -> "FeatureExtractor":
        """Load what cnn_pretrain or fuse_features wrote into its weights folder.

        Raises
        ------
        TrainingError
            The folder is missing or damaged.
        """
        return cls(*map(_load, parts_of(folder)))

    def save(self, folder: Path) -> None:
        """Write what `load` reads."""
        places = [folder] if len(self.networks) == 1 else [folder / name for name in PARTS]
        for place, network in zip(places, self.networks, strict=True):
            network.save(place)

    @property
    def width(self) -> int:
        """Numbers in a feature vector, D."""
        return sum(network.width for network in self.networks)

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
        found = [_extract(network, images) for network in self.networks]
        return found[0] if len(found) == 1 else _fused(found)


def _load(folder: Path) -> Describer:
    config, state = load_weights(folder)
    kind = _KINDS.get(str(config.get("feature")), Network) if isinstance(config, dict) else Network
    return on_the_fastest_device(kind.restore(folder, config, state))


def _extract(network: Describer, images: Sequence[Path | bytes]) -> Extraction:
    squares = decode_readable(images, network.size)
    features = [np.zeros((0, network.width), dtype=np.float32)]
    grid = [np.zeros((0, network.cells, network.width), dtype=np.float32)]
    topics = [np.zeros((0, network.topics), dtype=np.float32)]
    for raw in describe(network, squares.pixels):
        standard = network.standardise(raw)
        features.append(standard.pooled.cpu().numpy())
        grid.append(standard.grid.cpu().numpy())
        if "topics" in raw.probabilities:
            topics.append(raw.probabilities["topics"].cpu().numpy())
    return Extraction(
        np.concatenate(features),
        np.concatenate(grid) if network.cells else None,
        np.concatenate(topics) if network.topics else None,
        squares.readable,
        squares.unreadable,
    )


def _fused(found: Sequence[Extraction]) -> Extraction:
    """Put pooled vectors of the same images behind one another; the topics are those of the first that knows any."""
    topics = next((one.topics for one in found if one.topics is not None), None)
    features = fused([one.features for one in found])
    return Extraction(features, None, topics, found[0].readable, found[0].unreadable)


def describe_corpus(network: Describer, pixels: Pixels) -> Iterator[Description]:
    """Describe a whole corpus on the fastest device, with a progress bar; the network ends on the CPU."""
    total = -(-len(pixels) // network.batch)
    yield from logs.progress(describe(on_the_fastest_device(network), pixels), "extracting features", total=total)
    network.cpu()


def extract(
    network: Describer, seen: Iterator[Description], rows: int, train: NDArray[np.int64], scratch: Path
) -> Iterator[tuple[Vectors, Vectors | None]]:
    """Standardise the features of a whole corpus over its training images, unless they stay as computed.

    The network's means and standard deviations are set on the way, before the first batch is given; those of a network
    whose features are not standardised stay 0 and 1.

    Parameters
    ----------
    network : Describer
        The network.
    seen : iterator of Description
        The corpus as it describes it, in batches.
    rows : int
        Images of the corpus, N.
    train : ndarray of int64
        Rows to take mean and variance over.
    scratch : Path
        A file to hold raw features until their statistics are known; the caller deletes it.

    Yields
    ------
    (ndarray of float32, ndarray of float32 or None)
        Pooled vectors (B, C) and grids (B, R, C), in the order of the rows.
    """
    shape = (rows, 1 + network.cells, network.width)  # the pooled vector, then the cells
    raw = np.memmap(scratch, dtype=np.float32, mode="w+", shape=shape)
    start = 0
    for batch in seen:
        both = torch.cat([batch.pooled[:, None], batch.grid], dim=1)
        raw[start : start + len(both)] = both.cpu().numpy()
        start += len(both)
    if network.standardised:
        _set_statistics(network.mean, network.std, raw[:, :1], train)
    if network.standardised and network.cells:
        _set_statistics(network.cell_mean, network.cell_std, raw[:, 1:], train)
    for start in range(0, len(raw), _BATCH):
        part = torch.from_numpy(np.array(raw[start : start + _BATCH]))
        standard = network.standardise(Description(part[:, 0], part[:, 1:], {}))
        yield standard.pooled.numpy(), standard.grid.numpy() if network.cells else None


def _set_statistics(mean: Tensor, std: Tensor, raw: Vectors, train: NDArray[np.int64]) -> None:
    """Set mean and deviation by channel over regions (N, R, C), summed in float64 a batch at a time."""
    total = np.zeros((2, raw.shape[2]))
    for start in range(0, len(train), _BATCH):
        values = np.asarray(raw[train[start : start + _BATCH]], dtype=np.float64).reshape(-1, raw.shape[2])
        total += (values.sum(axis=0), (values**2).sum(axis=0))
    average, square = total / (len(train) * raw.shape[1])
    mean.copy_(torch.from_numpy(average))
    std.copy_(torch.from_numpy(np.sqrt(np.maximum(square - average**2, 0.0))))
