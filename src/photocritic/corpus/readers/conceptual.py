"""Conceptual Captions (Sharma et al. 2018): caption and address, or what img2dataset made of them.

Read are the published TSV (`caption<TAB>url`, text only), Parquet of the same, and img2dataset's output in each of
its layouts: webdataset tars, Parquet with images, or loose files. An image known by its address alone is named by a
hash of it, so that its name does not depend on its row.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from photocritic.corpus.parsing import pairs, parquet
from photocritic.corpus.parsing.encoding import refuse_wide
from photocritic.corpus.parsing.folders import is_image, resolve, walk
from photocritic.corpus.readers import root_of
from photocritic.corpus.records import Comment, Image, Record, Rejected, is_unicode, printable
from photocritic.errors import CorpusError
from photocritic.params import IngestParams

INTERLEAVED: Final = True


def read(source: Path, params: IngestParams, _seed: int) -> Iterator[Record]:
    """Stream image-text pairs in whichever layout is found."""
    root = root_of(source)
    if params.comments:
        files = [resolve(root, params.comments, "ingest.comments")]
    else:
        files = [source] if source.is_file() else list(walk(root))
    by_suffix = {
        suffix: [path for path in files if path.suffix.lower() == suffix] for suffix in (".tar", ".parquet", ".tsv")
    }
    if by_suffix[".tar"]:
        for path in by_suffix[".tar"]:
            yield from pairs.read_tar(path)
            yield from _failures(path.with_suffix(".parquet"))
    elif any(map(is_image, files)):
        yield from pairs.read_loose(root)
        for path in by_suffix[".parquet"]:
            yield from _failures(path)
    elif by_suffix[".parquet"]:
        yield from _tables(by_suffix[".parquet"])
    elif by_suffix[".tsv"]:
        yield from _addresses(by_suffix[".tsv"])
    else:
        raise CorpusError(f"{source}: no .tsv, .parquet or .tar file, and no images; is this Conceptual Captions?")


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
    refuse_wide(path)
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="\n") as stream:
        for number, line in enumerate(stream, start=1):
            fields = line.rstrip("\r\n").split("\t")
            position = f"line {number}"
            if not line.strip() or (number == 1 and [field.lower() for field in fields] == ["caption", "url"]):
                continue
            if len(fields) == 2 and is_unicode(line):
                yield position, fields[0], fields[1]
                continue
            malformed = f"malformed row: {len(fields)} fields where caption and url belong"
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
        image_id = hashlib.sha256(url.strip().encode()).hexdigest()[:16]
        if image_id not in known:
            known.add(image_id)
            yield Image(image_id=image_id, data=None, source=source, position=position)
        yield Comment(image_id=image_id, text=caption, source=source, position=position)
