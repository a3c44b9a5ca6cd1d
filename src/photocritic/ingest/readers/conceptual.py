"""Conceptual Captions (Sharma et al. 2018): caption and address, or what img2dataset made of them.

Read are the published TSV (`caption<TAB>url`, text only), Parquet of the same, and img2dataset's output in each of
its layouts: webdataset tars, Parquet with images, or loose files. An image known by its address alone is named by a
hash of it, so that its name does not depend on its row.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from photocritic.config import IngestParams
from photocritic.core.errors import CorpusError
from photocritic.core.limits import MIB, ROW_BYTES
from photocritic.ingest.parsing import encoding, image_text_pairs, parquet
from photocritic.ingest.parsing.folders import contained, is_image, resolve, walk
from photocritic.ingest.readers import root_of
from photocritic.ingest.records import Comment, Image, Record, Rejected, is_unicode, printable

INTERLEAVED: Final = True
_ARCHIVES: Final = (".tar", ".parquet", ".tsv")


def read(source: Path, params: IngestParams, _seed: int) -> Iterator[Record]:
    """Stream image-text pairs in whichever layout is found."""
    root = root_of(source)
    if params.comments:
        files = [resolve(root, params.comments, "ingest.comments")]
    else:
        files = [source] if source.is_file() else [_openable(path, root) for path in walk(root)]
    by_suffix = {suffix: [path for path in files if path.suffix.lower() == suffix] for suffix in _ARCHIVES}
    if by_suffix[".tar"]:
        for path in by_suffix[".tar"]:
            yield from image_text_pairs.read_tar(path)
            yield from _failures(path.with_suffix(".parquet"))
    elif any(map(is_image, files)):
        yield from image_text_pairs.read_loose(root)
        for path in by_suffix[".parquet"]:
            yield from _failures(path)
    elif by_suffix[".parquet"]:
        yield from _tables(by_suffix[".parquet"])
    elif by_suffix[".tsv"]:
        yield from _addresses(by_suffix[".tsv"])
    else:
        raise CorpusError(f"{source}: no .tsv, .parquet or .tar file, and no images; is this Conceptual Captions?")


def _openable(path: Path, root: Path) -> Path:
    return contained(path, root) if path.suffix.lower() in _ARCHIVES else path


def _failures(path: Path) -> Iterator[Rejected]:
    if path.is_file():
        yield from parquet.read_failures(path)


def _tables(paths: list[Path]) -> Iterator[Record]:
    known: set[str] = set()
    for path in paths:
        if parquet.has_images(path):
            yield from parquet.read_pairs(path)
        else:
            yield from _named_by_address(parquet.read_addresses(path), path.name, known)


def _addresses(paths: list[Path]) -> Iterator[Record]:
    known: set[str] = set()
    for path in paths:
        yield from _named_by_address(_tsv(path), path.name, known)


def _tsv(path: Path) -> Iterator[tuple[str, str, str] | Rejected]:
    """Stream the rows of a TSV in which quotes mean nothing."""
    with encoding.open_text(path) as stream:
        for number, line in enumerate(encoding.lines(stream), start=1):
            fields = line.rstrip("\r\n").split("\t")
            position = f"line {number}"
            if not line.strip() or (number == 1 and [field.lower() for field in fields] == ["caption", "url"]):
                continue
            if len(fields) == 2 and is_unicode(line) and not encoding.is_too_long(line):
                yield position, fields[0], fields[1]
                continue
            malformed = f"malformed row: {len(fields)} fields where caption and url belong"
            if encoding.is_too_long(line):
                malformed = f"malformed row: longer than {ROW_BYTES // MIB} MB"
            reason = malformed if is_unicode(line) else "not UTF-8"
            content = printable(line.rstrip("\r\n"))
            yield Rejected(source=path.name, position=position, kind="comment", reason=reason, content=content)


def _named_by_address(
    rows: Iterable[tuple[str, str, str] | Rejected], source: str, known: set[str]
) -> Iterator[Record]:
    for row in rows:
        if isinstance(row, Rejected):
            yield row
            continue
        position, caption, url = row
        if not url.strip():
            reason, content = "no image address", printable(caption)
            yield Rejected(source=source, position=position, kind="comment", reason=reason, content=content)
            continue
        image_id = hashlib.sha256(url.strip().encode(errors="surrogatepass")).hexdigest()[:16]
        if image_id not in known:
            known.add(image_id)
            yield Image(image_id=image_id, data=None, source=source, position=position)
        yield Comment(image_id=image_id, text=caption, source=source, position=position)
