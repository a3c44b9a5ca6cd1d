"""The photographs themselves, for captioners that read pixels rather than features."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from photocritic.captioning.caption_dataset import Floats, Integers
from photocritic.core.errors import TableError
from photocritic.images.decoding import Pixels
from photocritic.tables import Stored
from photocritic.training import workers
from photocritic.vision.description import describe
from photocritic.vision.network import Network
from photocritic.vision.pixels import decoded
from photocritic.vision.targets import Corpus, read_corpus

_BATCH = 256  # images read from disk at once


@dataclass(frozen=True)
class Photographs:
    """Where the photographs of a corpus are, and the network of their features.

    Attributes
    ----------
    shards : Path
        The folder of the shards.
    network : Path
        The folder of the network that made the variant's features.
    """

    shards: Path
    network: Path


def stored_pixels(images: Path, image_ids: Sequence[str], shards: Path, side: int, file: Path) -> Pixels:
    """Decode some images of a corpus into one array on disk; under torchrun the first worker alone does.

    Parameters
    ----------
    images : Path
        The images table.
    image_ids : sequence of str
        The images wanted.
    shards : Path
        The folder of the shards.
    side : int
        Side S of the squares in pixels.
    file : Path
        Where the array is kept; the caller deletes it, and its neighbour `.sha256`.

    Returns
    -------
    ndarray of uint8, (len(image_ids), S, S, 3)
        Memory-mapped, read-only, in the order of `image_ids`.

    Raises
    ------
    CorpusError
        The corpus has no images, or one cannot be decoded.
    TableError
        An image is not in the table.
    """
    corpus = _chosen(read_corpus(images), image_ids, images)
    file.parent.mkdir(parents=True, exist_ok=True)
    with workers.first_one_first():
        return decoded(corpus, shards, side, file)


def pixel_files(checkpoint: Path) -> tuple[Path, Path]:
    """Return the files of the decoded images, which are kept until the training has succeeded."""
    return checkpoint.with_suffix(".npy"), checkpoint.with_suffix(".sha256")


def features_of(network: Network, pixels: Pixels, rows: Integers | None = None, *, view: Stored) -> Iterator[Floats]:
    """Describe images as the network's own features table would, (B, R, C) a batch, in evaluation mode.

    Parameters
    ----------
    network : Network
        With the standardisation of its table.
    pixels : ndarray of uint8, (N, S, S, 3)
        Images, in memory or mapped.
    rows : ndarray of int64, optional
        Which of them, in which order; by default all.
    view : "pooled" or "grid"
        Which features.
    """
    wanted = np.arange(len(pixels)) if rows is None else rows
    for start in range(0, len(wanted), _BATCH):
        for raw in describe(network, pixels[wanted[start : start + _BATCH]]):
            standard = network.standardise(raw)
            yield (standard.pooled[:, None] if view == "pooled" else standard.grid).cpu().numpy()


def _chosen(corpus: Corpus, image_ids: Sequence[str], images: Path) -> Corpus:
    place = {image: row for row, image in enumerate(corpus.image_ids)}
    try:
        rows = [place[image] for image in image_ids]
    except KeyError as error:
        raise TableError(f"{images}: no image {error}; run ingest and what follows it again") from None
    return Corpus(
        [corpus.image_ids[row] for row in rows],
        [corpus.paths[row] for row in rows],
        [corpus.splits[row] for row in rows],
        [corpus.labels[row] for row in rows],
        [corpus.hashes[row] for row in rows],
    )
