"""Whether image files can be decoded, checked on all cores in the order in which they come."""

import hashlib
import io
import os
import re
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from PIL import Image as Pillow
from PIL import ImageFile, UnidentifiedImageError

from photocritic.corpus.phash import phash
from photocritic.corpus.records import Comment, Image, Record, Reference, Rejected, printable

MAX_PIXELS = 89_000_000  # Pillow's own threshold of a decompression bomb: 256 MiB as 24-bit RGB
MAX_BYTES = 256 << 20
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM")  # no format that starts another program

_QUEUED = 4  # images a worker, read but not yet passed on
_WAITING = 4_096  # records of any kind that may wait behind an image that is still being decoded
_ADDRESS = re.compile(r"\s*<[^>]*0x[0-9a-f]+>")


@dataclass(frozen=True, slots=True)
class Picture:
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
    def marks(self) -> list[str | int]:
        """Give what tells the picture whatever its name: its bytes' hash, and what it looks like, where it has any."""
        return [mark for mark in (self.sha256, self.phash) if mark]


Checked = Picture | Comment | Reference | Rejected


def checked(records: Iterable[Record], workers: int | None = None) -> Iterator[Checked]:
    """Decode every image among the records, several at a time, and pass the rest on.

    Parameters
    ----------
    records : iterable
        What a reader yields.
    workers : int, optional
        Threads that decode (Pillow releases the interpreter's lock); by default one a core.

    Yields
    ------
    Picture, Comment, Reference or Rejected
        In the order of `records`; an image that cannot be decoded becomes Rejected.
    """
    count = workers or _cores()
    Pillow.init()  # loads the formats once, before threads would do it side by side
    window: deque[Future[Picture | Rejected] | Checked] = deque()
    pending = 0
    with warnings.catch_warnings(), ThreadPoolExecutor(count) as pool:
        warnings.filterwarnings("ignore", module=r"PIL\.")  # odd metadata, which is never used
        warnings.simplefilter("error", Pillow.DecompressionBombWarning)
        for record in records:
            if isinstance(record, Image):
                window.append(pool.submit(check, record))
                pending += 1
            else:
                window.append(record)
            while window and (pending > _QUEUED * count or len(window) > _WAITING or _is_ready(window[0])):
                head = window.popleft()
                pending -= isinstance(head, Future)
                yield head.result() if isinstance(head, Future) else head
        for head in window:
            yield head.result() if isinstance(head, Future) else head


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_ready(head: Future[Picture | Rejected] | Checked) -> bool:
    return head.done() if isinstance(head, Future) else True


def check(image: Image) -> Picture | Rejected:
    """Decode one image fully.

    Parameters
    ----------
    image : Image
        With bytes, with a path to read, or with neither.

    Returns
    -------
    Picture or Rejected
        Rejected where the file cannot be read, is no image of a known format, is truncated, or is too large.
    """
    if image.data is None:
        return Picture(image)
    try:
        data = _bytes_of(image.data)
    except OSError as error:
        return _rejected(image, f"unreadable file: {error.strerror}")
    if len(data) > MAX_BYTES:
        return _rejected(image, f"image too large: more than {MAX_BYTES >> 20} MB")
    try:
        width, height, name, fingerprint = _decode(data)
    except Exception as error:  # Pillow raises almost anything on damaged files; none may end a run
        return _rejected(image, _reason(error, data))
    return Picture(image, data, width, height, name, hashlib.sha256(data).hexdigest(), fingerprint)


def _reason(error: Exception, data: bytes) -> str:
    if isinstance(error, Pillow.DecompressionBombError | Pillow.DecompressionBombWarning):
        return f"image too large: more than {MAX_PIXELS} pixels"
    if isinstance(error, UnidentifiedImageError):
        return f"unreadable image: {'not a known image format' if data else 'empty file'}"
    return f"unreadable image: {_ADDRESS.sub('', str(error)) or type(error).__name__}"


def _bytes_of(data: bytes | Path) -> bytes:
    if isinstance(data, bytes):
        return data
    with data.open("rb") as stream:
        return stream.read(MAX_BYTES + 1)


def _decode(data: bytes) -> tuple[int, int, str, int]:
    ImageFile.LOAD_TRUNCATED_IMAGES = False  # another library may have switched it on for the whole process
    with Pillow.open(io.BytesIO(data), formats=FORMATS) as picture:
        if picture.width * picture.height > MAX_PIXELS:
            raise Pillow.DecompressionBombError
        picture.load()
        return picture.width, picture.height, picture.format or "", phash(picture)


def _rejected(image: Image, reason: str) -> Rejected:
    return Rejected(
        source=image.source,
        position=image.position,
        kind="image",
        reason=printable(reason),
        content=printable(image.image_id),
        image_id=image.image_id,
    )
