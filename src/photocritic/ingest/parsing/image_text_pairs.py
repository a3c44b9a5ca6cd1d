"""Image-text pairs that share a key, as img2dataset and webdataset write them: loose files, or tar archives."""

import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from photocritic.core.errors import CorpusError
from photocritic.core.limits import JSON_DEPTH, MIB, ROW_BYTES
from photocritic.core.nesting import is_too_deep
from photocritic.ingest.parsing.encoding import open_regular
from photocritic.ingest.parsing.folders import flaw_in_file, is_image, walk
from photocritic.ingest.parsing.tars import Archive, flaw_in_member, open_tar
from photocritic.ingest.records import Comment, Image, Kind, Record, Rejected, printable

_TEXTS = {".txt", ".json"}


@dataclass(slots=True)
class _Pair:
    """The files that share a key: an image and its texts; what must not be opened is rejected."""

    key: str
    source: str
    image: tuple[str, bytes | Path] | None = None
    texts: dict[str, bytes] = field(default_factory=dict)
    rejected: list[Rejected] = field(default_factory=list)

    def add(self, name: str, data: bytes | Path) -> None:
        """Add an image or a text."""
        if not is_image(Path(name)):
            self.texts[_key_and_suffix(name)[1]] = data if isinstance(data, bytes) else b""
        elif self.image:
            self.reject(name, "second image of one key")
        else:
            self.image = name, data

    def reject(self, name: str, reason: str) -> None:
        """Reject one of the files."""
        kind: Kind = "image" if is_image(Path(name)) else "comment"
        gone = name if kind == "image" and self.image is None else None
        self.rejected.append(_rejected(self.source, name, kind, reason, name, image_id=gone))

    def records(self) -> Iterator[Record]:
        """Yield the image and its caption; what is missing or unreadable is rejected."""
        yield from self.rejected
        if self.image is None:
            if self.texts or not self.rejected:
                yield _rejected(self.source, self.key, "image", "no such image file", self.key)
            return
        image_id, data = self.image
        yield Image(image_id=image_id, data=data, source=self.source, position=printable(self.key))
        try:
            caption = _caption(self.texts)
        except (ValueError, RecursionError) as error:
            yield _rejected(self.source, self.key, "comment", f"malformed row: {error}", self.key)
            return
        if caption is not None:
            yield Comment(image_id=image_id, text=caption, source=self.source, position=printable(self.key))


def read_tar(path: Path) -> Iterator[Record]:
    """Stream one webdataset tar; a damaged archive yields what precedes the damage."""
    pair: _Pair | None = None
    last, damage = "its beginning", ""
    try:
        with open_tar(path) as tar:
            for info in tar:
                last = printable(info.name)
                name = _inside(info.name)
                if info.isdir() or not (is_image(Path(name)) or _key_and_suffix(name)[1] in _TEXTS):
                    continue
                key, _ = _key_and_suffix(name)
                if pair is None or pair.key != key:
                    yield from pair.records() if pair else ()
                    pair = _Pair(key, path.name)
                _take(pair, tar, info, name)
    except (tarfile.TarError, OSError, ValueError, OverflowError, RecursionError) as error:
        damage = f"damaged archive: after {last}: {error}"
    yield from pair.records() if pair else ()
    if damage:
        yield _rejected(path.name, last, "image", damage, path.name)


def _take(pair: _Pair, tar: Archive, info: tarfile.TarInfo, name: str) -> None:
    reason = flaw_in_member(info)
    if not reason and not is_image(Path(name)) and info.size > ROW_BYTES:
        reason = _TOO_LONG
    if reason:
        pair.reject(name, reason)
    else:
        pair.add(name, tar.read(info))


_TOO_LONG = f"text too long: more than {ROW_BYTES // MIB} MB"


def read_loose(folder: Path) -> Iterator[Record]:
    """Stream a folder of KEY.jpg with KEY.txt or KEY.json beside it."""
    pair: _Pair | None = None
    for path in walk(folder):
        if (not is_image(path) and path.suffix.lower() not in _TEXTS) or path.stem.endswith("_stats"):
            continue
        name = path.relative_to(folder).as_posix()
        key, _ = _key_and_suffix(name)
        if pair is None or pair.key != key:
            yield from pair.records() if pair else ()
            pair = _Pair(key, printable(folder.name))
        reason = flaw_in_file(path, folder)
        data: bytes | Path = path
        if not reason and not is_image(path):
            reason, data = _text_of(path)
        if reason:
            pair.reject(name, reason)
        else:
            pair.add(name, data)
    yield from pair.records() if pair else ()


def _text_of(path: Path) -> tuple[str, bytes]:
    try:
        with open_regular(path) as stream:
            data = stream.read(ROW_BYTES + 1)
    except (CorpusError, OSError):
        return "unreadable file", b""
    return (_TOO_LONG if len(data) > ROW_BYTES else ""), data


def _inside(name: str) -> str:
    """Write a member's name as a path from the archive's root; one that leads out of it stays as it is."""
    return PurePosixPath(name).as_posix().removeprefix("./")


def _key_and_suffix(name: str) -> tuple[str, str]:
    path = PurePosixPath(name)
    stem, _, suffix = path.name.partition(".")
    return (path.parent / stem).as_posix(), f".{suffix.lower()}"


def _caption(texts: dict[str, bytes]) -> str | None:
    if ".txt" in texts:
        return texts[".txt"].decode("utf-8-sig", errors="surrogateescape")
    if ".json" not in texts:
        return None
    document = texts[".json"].decode("utf-8-sig", errors="surrogateescape")
    if is_too_deep(document):
        raise ValueError(f"nested more than {JSON_DEPTH} deep")
    try:
        values = json.loads(document)
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    caption = values.get("caption") if isinstance(values, dict) else None
    if caption is not None and not isinstance(caption, str):
        raise ValueError("its caption is not text")
    return caption


def _rejected(
    source: str, position: str, kind: Kind, reason: str, content: str, *, image_id: str | None = None
) -> Rejected:
    return Rejected(
        source=source,
        position=printable(position),
        kind=kind,
        reason=printable(reason),
        content=printable(content),
        image_id=image_id,
    )
