"""A corpus decoded once into a memory-mapped array, so that training never waits for a JPEG."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np

from photocritic.core import logs
from photocritic.core.errors import CorpusError
from photocritic.core.files import atomic_file
from photocritic.images.decoding import Pixels, square
from photocritic.images.shards import read_images
from photocritic.vision.targets import Corpus

MARGIN = 1.15  # stored squares are this much larger than what the network trains on, to leave room for cropping
_WINDOW = 256  # images read ahead, at most


def stored_size(image_size: int) -> int:
    """Return the side in pixels of the stored square for a network trained at `image_size`."""
    return round(image_size * MARGIN)


def decoded(corpus: Corpus, shards: Path, size: int, file: Path) -> Pixels:
    """Decode a corpus into one array on disk, or map the array that an interrupted run left.

    Parameters
    ----------
    corpus : Corpus
        The images.
    shards : Path
        The folder of the shards.
    size : int
        Side of the squares in pixels.
    file : Path
        Where the array is kept, with the hash of its images beside its name; the caller deletes it.

    Returns
    -------
    ndarray of uint8, (N, size, size, 3)
        Memory-mapped, read-only, in the order of the table.

    Raises
    ------
    CorpusError
        An image cannot be decoded, a shard is missing, or an image in it is not the one that the table describes.
    """
    identity = file.with_suffix(".sha256")
    wanted = _identity(corpus, size)
    if not file.is_file() or not identity.is_file() or identity.read_text() != wanted:
        identity.unlink(missing_ok=True)
        with atomic_file(file) as temporary:
            _fill(temporary, corpus, shards, size)
        with atomic_file(identity) as temporary:
            temporary.write_text(wanted)
    array: Pixels = np.load(file, mmap_mode="r")
    return array


def _fill(file: Path, corpus: Corpus, shards: Path, size: int) -> None:
    paths = corpus.paths
    array = np.lib.format.open_memmap(file, mode="w+", dtype=np.uint8, shape=(len(paths), size, size, 3))
    contents = logs.progress(read_images(paths, shards, corpus.hashes), "decoding images", total=len(paths))
    for index, pixels in enumerate(_decode_all(zip(paths, contents, strict=True), size)):
        array[index] = pixels
    array.flush()


def _decode_all(images: Iterable[tuple[str, bytes]], size: int) -> Iterator[Pixels]:
    """Decode on all cores, in order, a window at a time; threads do, as ingest has decoded these very bytes before."""

    def one(image: tuple[str, bytes]) -> Pixels:
        path, content = image
        try:
            return square(content, size)
        except CorpusError as error:
            raise CorpusError(f"{path}: {error}; run ingest again") from None

    source = iter(images)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None) as pool:
        while window := list(islice(source, _WINDOW)):
            yield from pool.map(one, window)


def _identity(corpus: Corpus, size: int) -> str:
    digest = hashlib.sha256(f"{size}\n".encode())
    for path, content in zip(corpus.paths, corpus.hashes, strict=True):
        digest.update(f"{path} {content}\n".encode())
    return digest.hexdigest()
