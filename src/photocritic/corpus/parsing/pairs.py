"""Image-text pairs that share a key, as img2dataset and webdataset write them: loose files, or tar archives."""

import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from photocritic.corpus.parsing.folders import is_image, walk
from photocritic.corpus.pictures import MAX_BYTES
from photocritic.corpus.records import Comment, Image, Kind, Record, Rejected, printable

_TEXTS = {".txt", ".json"}


@dataclass(slots=True)
class _Pair:
    """The files that share a key: an image and its texts."""

    key: str
    image: tuple[str, bytes | Path] | None = None
    texts: dict[str, bytes] = field(default_factory=dict)

    def records(self, source: str) -> Iterator[Record]:
        """Give the image and its caption; what is missing or unreadable is rejected."""
        if self.image is None:
            yield _rejected(source, self.key, "image", "no such image file", self.key)
            return
        image_id, data = self.image
        yield Image(image_id=image_id, data=data, source=source, position=self.key)
        try:
            caption = _caption(self.texts)
        except (ValueError, RecursionError) as error:
            yield _rejected(source, self.key, "comment", f"malformed row: not JSON: {error}", self.key)
            return
        if caption is not None:
            yield Comment(image_id=image_id, text=caption, source=source, position=self.key)


def read_tar(path: Path) -> Iterator[Record]:
    """Stream one webdataset tar; a damaged archive gives what stands before the damage."""
    pair: _Pair | None = None
    last, damage = "its beginning", ""
    try:
        with tarfile.open(path, "r:") as tar:
            for info in tar:
                last = printable(info.name)
                if not info.isfile():
                    continue
                key, suffix = _key_and_suffix(info.name)
                if pair is None or pair.key != key:
                    yield from pair.records(path.name) if pair else ()
                    pair = _Pair(key)
                yield from _take(pair, tar, info, suffix, path.name)
                tar.members = []  # type: ignore[attr-defined]  # tarfile would remember every header it passes
            _refuse_garbage(tar, path)
    except (tarfile.TarError, OSError, ValueError) as error:
        damage = f"damaged archive: after {last}: {error}"
    yield from pair.records(path.name) if pair else ()
    if damage:
        yield _rejected(path.name, last, "image", damage, path.name)


def _refuse_garbage(tar: tarfile.TarFile, path: Path) -> None:
    """Raise where tarfile stopped at a damaged header, which it takes for the end."""
    with path.open("rb") as stream:
        stream.seek(tar.offset)
        if any(stream.read(tarfile.BLOCKSIZE)):
            raise tarfile.ReadError("a damaged header")


def _take(pair: _Pair, tar: tarfile.TarFile, info: tarfile.TarInfo, suffix: str, source: str) -> Iterator[Rejected]:
    name = PurePosixPath(info.name).name
    if info.size > MAX_BYTES:
        yield _rejected(
            source, info.name, "image", f"image too large: more than {MAX_BYTES >> 20} MB", info.name, image_id=name
        )
        return
    stream = tar.extractfile(info)
    data = stream.read() if stream else b""
    if len(data) < info.size:
        raise tarfile.ReadError("unexpected end of data")
    if is_image(Path(name)):
        if pair.image:
            yield _rejected(source, info.name, "image", "second image of one key", info.name)
        pair.image = pair.image or (name, data)
    elif suffix in _TEXTS:
        pair.texts[suffix] = data


def read_loose(folder: Path) -> Iterator[Record]:
    """Stream a folder of KEY.jpg with KEY.txt or KEY.json beside it."""
    pair: _Pair | None = None
    for path in walk(folder):
        if (not is_image(path) and path.suffix.lower() not in _TEXTS) or path.stem.endswith("_stats"):
            continue
        key, suffix = _key_and_suffix(path.relative_to(folder).as_posix())
        if pair is None or pair.key != key:
            yield from pair.records(folder.name) if pair else ()
            pair = _Pair(key)
        if is_image(path):
            if pair.image:
                yield _rejected(folder.name, path.name, "image", "second image of one key", path.name)
            pair.image = pair.image or (path.name, path)
        else:
            pair.texts[suffix] = path.read_bytes()
    yield from pair.records(folder.name) if pair else ()


def _key_and_suffix(name: str) -> tuple[str, str]:
    path = PurePosixPath(name)
    stem, _, suffix = path.name.partition(".")
    return (path.parent / stem).as_posix(), f".{suffix.lower()}"


def _caption(texts: dict[str, bytes]) -> str | None:
    if ".txt" in texts:
        return texts[".txt"].decode("utf-8-sig", errors="surrogateescape")
    values = json.loads(texts.get(".json", b"{}"))
    caption = values.get("caption") if isinstance(values, dict) else None
    return caption if isinstance(caption, str) else None


def _rejected(
    source: str, position: str, kind: Kind, reason: str, content: str, *, image_id: str | None = None
) -> Rejected:
    return Rejected(
        source=source,
        position=printable(position),
        kind=kind,
        reason=reason,
        content=printable(content),
        image_id=image_id,
    )
