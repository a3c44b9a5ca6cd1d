"""Image files decoded and measured on all cores, in the order in which they come."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from photocritic.core.errors import UnreadableImage
from photocritic.images.decoding import Inspection
from photocritic.images.decoding_pool import Decoded, WorkerPool, shared
from photocritic.images.worker_main import Operation, Task
from photocritic.ingest.records import Comment, Image, Record, Reference, Rejected, printable


@dataclass(frozen=True, slots=True)
class CheckedImage:
    """An image that was decoded, or one that is known by name only (no bytes, sizes 0).

    Attributes
    ----------
    image : Image
        The record it was made from.
    data : bytes
        The encoded image as it was found.
    width, height : int
        Pixels, before any EXIF rotation.
    format : str
        Pillow's name of the format.
    sha256 : str
        Hash of `data`, hexadecimal.
    phash : int or None
        Perceptual hash (`phash.phash`); None without image.
    """

    image: Image
    data: bytes = b""
    width: int = 0
    height: int = 0
    format: str = ""
    sha256: str = ""
    phash: int | None = None

    @property
    def hashes(self) -> list[str | int]:
        """The hashes by which a copy under another name is recognised: of its bytes, and of how it looks."""
        return [one for one in (self.sha256, self.phash) if one]


Checked = CheckedImage | Comment | Reference | Rejected


def checked(records: Iterable[Record], pool: WorkerPool | None = None) -> Iterator[Checked]:
    """Decode every image among the records, several at a time, and pass the rest on.

    Parameters
    ----------
    records : iterable
        What a reader yields.
    pool : WorkerPool, optional
        The processes that decode; by default this process's own, one a core.

    Yields
    ------
    CheckedImage, Comment, Reference or Rejected
        In the order of `records`; an image that cannot be decoded becomes Rejected.
    """
    for decoded in (pool or shared()).map(records, _data_of, Task(Operation.INSPECT)):
        yield _verdict(decoded) if isinstance(decoded.item, Image) else decoded.item


def _data_of(record: Record) -> bytes | Path | None:
    return record.data if isinstance(record, Image) else None


def _verdict(decoded: Decoded[Record]) -> CheckedImage | Rejected:
    image, found = decoded.item, decoded.answer
    assert isinstance(image, Image)
    if isinstance(found, UnreadableImage):
        return _rejected(image, str(found))
    if not isinstance(found, Inspection):
        return CheckedImage(image)
    return CheckedImage(
        image,
        decoded.data,
        found.header.width,
        found.header.height,
        found.header.format,
        hashlib.sha256(decoded.data).hexdigest(),
        found.phash,
    )


def _rejected(image: Image, reason: str) -> Rejected:
    return Rejected(
        source=image.source,
        position=image.position,
        kind="image",
        reason=printable(reason),
        content=printable(image.image_id),
        image_id=image.image_id,
    )
