"""AVA (Murray et al. 2012): AVA.txt, a folder of images, and a file of comments.

AVA.txt has 15 numbers a line: an index, the image, the counts of the ratings 1 to 10, two semantic tags (0: none) and
the challenge. The comments may be CSV, TSV or JSON Lines as for `folder`, a JSON object of image -> list of
comments, AVA-Captions' JSON (Ghosal et al. 2019, Karpathy's layout), or the crawled text file, whose lines are
`index#image#comment#comment...`.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from photocritic.config import IngestParams
from photocritic.core.errors import CorpusError
from photocritic.core.limits import MIB, ROW_BYTES
from photocritic.ingest.parsing import encoding, karpathy
from photocritic.ingest.parsing.entries import Entry, read_entries
from photocritic.ingest.parsing.folders import Gallery, choose, contained, resolve, walk_top
from photocritic.ingest.parsing.json_documents import pairs
from photocritic.ingest.parsing.rows import SUFFIXES
from photocritic.ingest.readers import root_of
from photocritic.ingest.readers.dpc import comments_of
from photocritic.ingest.readers.folder import Facts, collect_facts
from photocritic.ingest.records import Comment, Record, Rejected, is_unicode, printable

INTERLEAVED: Final = False
NUMBERS: Final = 15  # on a line of AVA.txt
TAGS: Final = (12, 13)  # their places


def read(source: Path, params: IngestParams, _seed: int) -> Iterator[Record]:
    """Stream the images of AVA.txt, with their tags as labels, and then the comments."""
    root = root_of(source)
    table = _table(root)
    comments = _comments_file(root, table, params)
    facts = _facts(comments, root)
    yield from _images(table, Gallery(root), facts)
    yield from _comments(comments, root, facts)
    if params.references:
        references = resolve(root, params.references, "ingest.references")
        for entry in read_entries(references, root, kind="reference"):
            yield _named(entry).reference() if isinstance(entry, Entry) else entry


def _table(root: Path) -> Path:
    for path in walk_top(root):
        if path.name.lower() == "ava.txt":
            return contained(path, root)
    raise CorpusError(f"{root}: no AVA.txt; it lists the images and their tags")


def _comments_file(root: Path, table: Path, params: IngestParams) -> Path:
    if params.comments:
        return resolve(root, params.comments, "ingest.comments")
    others = [table] + ([root / params.references] if params.references else [])
    return choose(root, (*SUFFIXES, ".json", ".txt"), "ingest.comments", stem="comments", without=others)


def _facts(path: Path, root: Path) -> Facts:
    facts = Facts({}, {})
    if path.suffix.lower() in SUFFIXES:
        entries = read_entries(path, root)
        facts = collect_facts(_named(entry) if isinstance(entry, Entry) else entry for entry in entries)
    elif path.suffix.lower() == ".json" and karpathy.is_karpathy(path):
        for item in karpathy.entries(path):
            if not isinstance(item, Rejected) and item[2]:
                facts.splits.setdefault(item[0], (item[2], f"{item[1]} of {path.name}"))
    return facts


def _images(path: Path, gallery: Gallery, facts: Facts) -> Iterator[Record]:
    with encoding.open_text(path, newline=None) as stream:
        for number, line in enumerate(encoding.lines(stream), start=1):
            fields = line.split()
            if not fields:
                continue
            position = f"line {number}"
            if len(fields) != NUMBERS or not all(map(_is_number, fields)):
                reason = f"malformed row: not {NUMBERS} numbers"
                content = printable(line.rstrip("\n"))
                yield Rejected(source=path.name, position=position, kind="image", reason=reason, content=content)
                continue
            image_id = file_name(fields[1])
            tags = [f"tag:{int(fields[place])}" for place in TAGS if int(fields[place])]
            labels = tuple(dict.fromkeys([*tags, *facts.labels.get(image_id, ())]))
            yield gallery.image(image_id, path.name, position, split=facts.split(image_id), labels=labels)


def _is_number(field: str) -> bool:
    return field.isascii() and field.isdigit() and len(field) < 19


def _comments(path: Path, root: Path, facts: Facts) -> Iterator[Record]:
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        named = (_named(entry) if isinstance(entry, Entry) else entry for entry in read_entries(path, root))
        yield from facts.check((entry, entry.comment()) if isinstance(entry, Entry) else entry for entry in named)
    elif suffix == ".txt":
        yield from _crawled(path)
    elif karpathy.is_karpathy(path):
        for item in karpathy.entries(path):
            if isinstance(item, Rejected):
                yield item
            else:
                yield from karpathy.comments(file_name(item[0]), item[1], item[3], path.name)
    else:
        for name, texts in pairs(path):
            yield from comments_of(file_name(name), texts, path.name)


def _crawled(path: Path) -> Iterator[Record]:
    with encoding.open_text(path) as stream:
        for number, line in enumerate(encoding.lines(stream), start=1):
            if not line.strip():
                continue
            position, content = f"line {number}", printable(line.rstrip("\r\n"))
            fields = line.rstrip("\r\n").split("#")
            reason = "" if len(fields) > 2 and fields[1].strip() else "malformed row: not index#image#comment"
            if encoding.is_too_long(line):
                reason = f"malformed row: longer than {ROW_BYTES // MIB} MB"
            if reason or not is_unicode(line):
                reason = reason if is_unicode(line) else "not UTF-8"
                yield Rejected(source=path.name, position=position, kind="comment", reason=reason, content=content)
                continue
            for text in fields[2:]:
                yield Comment(image_id=file_name(fields[1].strip()), text=text, source=path.name, position=position)


def _named(entry: Entry) -> Entry:
    return replace(entry, image_id=file_name(entry.image_id))


def file_name(image: str) -> str:
    """Return the file's name of an image that may be named by its number alone."""
    return f"{image}.jpg" if image.isascii() and image.isdigit() else image
