"""Image bytes in a few uncompressed tar archives, written in order and read in order or at random."""

import hashlib
import io
import tarfile
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from photocritic.core.declaration import require_declared
from photocritic.core.errors import CorpusError

MAX_IMAGES = 1_000  # images in a shard
MAX_BYTES = 256 << 20  # bytes in a shard, unless one image alone is larger

_SUFFIXES = {"JPEG": "jpg", "MPO": "jpg", "TIFF": "tif"}


class ShardWriter:
    """Write images into numbered shards; the same images in the same order give the same bytes.

    Parameters
    ----------
    folder : Path
        An existing folder, which receives 00000.tar, 00001.tar, ...
    max_images, max_bytes : int
        A new shard begins before either would be exceeded.
    """

    def __init__(self, folder: Path, max_images: int = MAX_IMAGES, max_bytes: int = MAX_BYTES) -> None:
        self._folder = folder
        self._max_images = max_images
        self._max_bytes = max_bytes
        self._tar: tarfile.TarFile | None = None
        self._shard = -1
        self._written = 0
        self._in_shard = 0
        self._bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def add(self, data: bytes, image_format: str) -> str:
        """Append an image.

        Parameters
        ----------
        data : bytes
            The encoded image.
        image_format : str
            Pillow's name of its format, which gives the member its suffix.

        Returns
        -------
        str
            Its place: "NNNNN.tar/member".
        """
        tar = self._room_for(len(data))
        # Members are numbered, not named after images: a name from outside could hold anything.
        info = tarfile.TarInfo(f"{self._written:09d}.{_SUFFIXES.get(image_format, image_format.lower())}")
        info.size, info.mtime, info.mode = len(data), 0, 0o644
        tar.addfile(info, io.BytesIO(data))
        self._written += 1
        self._in_shard += 1
        self._bytes += len(data)
        return f"{self._shard:05d}.tar/{info.name}"

    def _room_for(self, size: int) -> tarfile.TarFile:
        full = self._in_shard >= self._max_images or (self._in_shard and self._bytes + size > self._max_bytes)
        if self._tar is None or full:
            self._close()
            self._shard += 1
            self._in_shard = self._bytes = 0
            self._tar = tarfile.open(self._folder / f"{self._shard:05d}.tar", "w")  # noqa: SIM115 - closed by _close
        return self._tar

    def _close(self) -> None:
        if self._tar is not None:
            self._tar.close()
            self._tar = None


def read_images(paths: Sequence[str], shards: Path, hashes: Sequence[str]) -> Iterator[bytes]:
    """Read images one after another; a shard stays open while consecutive paths lie in it.

    Parameters
    ----------
    paths : sequence of str
        As in the images table: "NNNNN.tar/member".
    shards : Path
        The folder of the shards.
    hashes : sequence of str
        The images' sha256 as in the images table, by which the shards are known to be those of the table.

    Yields
    ------
    bytes
        The encoded images, in the order of `paths`.

    Raises
    ------
    CorpusError
        A path is empty (a corpus of text only) or leads nowhere, or an image is not the one that the table describes.
    """
    require_declared(shards)
    current = ""
    with ExitStack() as opened:
        for path, digest in zip(paths, hashes, strict=True):
            shard, offset, size = _locate(path, shards)
            if shard.name != current:
                opened.close()
                stream = opened.enter_context(shard.open("rb"))
                current = shard.name
            stream.seek(offset)
            data = stream.read(size)
            if hashlib.sha256(data).hexdigest() != digest:
                raise CorpusError(
                    f"{shards / path}: not the image that the images table describes; run the stage ingest again"
                )
            yield data


@dataclass(frozen=True, slots=True)
class _Index:
    names: tuple[str, ...]  # sorted
    offsets: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]


def _locate(path: str, shards: Path) -> tuple[Path, int, int]:
    if not path:
        raise CorpusError("this corpus has no images, only text; choose features and variants that need no images")
    name, _, member = path.partition("/")
    shard = shards / name
    try:
        state = shard.stat()
    except OSError:
        raise CorpusError(f"{shard}: no such shard of images; run the stage ingest again") from None
    index = _index(shard, state.st_mtime_ns, state.st_size)
    place = bisect_left(index.names, member)
    if place == len(index.names) or index.names[place] != member:
        raise CorpusError(f"{shard}: contains no image '{member}'; run the stage ingest again")
    return shard, int(index.offsets[place]), int(index.sizes[place])


@lru_cache(maxsize=4096)  # about 100 kB each; a changed shard gets a new entry
def _index(shard: Path, _modified: int, _size: int) -> _Index:
    try:
        with tarfile.open(shard, "r:") as tar:
            members = sorted((info.name, info.offset_data, info.size) for info in tar if info.isfile())
    except (tarfile.TarError, OSError) as error:
        raise CorpusError(f"{shard}: damaged shard of images ({error}); run the stage ingest again") from None
    return _Index(
        names=tuple(name for name, _, _ in members),
        offsets=np.array([offset for _, offset, _ in members], dtype=np.int64),
        sizes=np.array([size for _, _, size in members], dtype=np.int64),
    )
