"""Image files decoded and measured on all cores, in the order in which they come."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from photocritic.core.errors import UnreadableImage
from photocritic.images.decoding import Inspection
from photocritic.images.decoding_pool import Decoded, WorkerPool, shared
from photocritic.images.worker_main import Operation, Task
from photocritic.ingest.admission import Checked, CheckedImage
from photocritic.ingest.records import Image, Record, Rejected, printable


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
