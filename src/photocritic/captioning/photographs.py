"""The photographs themselves, for captioners that read pixels rather than features."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from photocritic.core.errors import TableError
from photocritic.images.decoding import Pixels
from photocritic.training import workers
from photocritic.vision.pixels import decoded
from photocritic.vision.targets import Corpus, read_corpus


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
