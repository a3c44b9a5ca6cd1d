"""A folder of images with a CSV, TSV or JSON Lines file of comments: the format to bring own data in.

The files have a header (or keys) `image` and `text` or `caption`, and may have `comment_id`, `author`, `style`,
`aspect`, `split` and `labels` (separated by ";" in CSV). Images lie in `images/`, or beside the comments; an image's id
is its path from there, which for most corpora is the file name. Without any image file the corpus is one of text only.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from photocritic.config import IngestParams
from photocritic.ingest.parsing.entries import Entry, read_entries
from photocritic.ingest.parsing.folders import (
    IMAGES,
    choose,
    flaw_in_file,
    image_folder,
    is_image,
    refuse_other_images,
    resolve,
    walk,
)
from photocritic.ingest.parsing.rows import SUFFIXES
from photocritic.ingest.readers import root_of
from photocritic.ingest.records import Comment, Image, Kind, Record, Reference, Rejected, normal, printable

INTERLEAVED: Final = False


def read(source: Path, params: IngestParams, _seed: int) -> Iterator[Record]:
    """Stream a folder of images and comments, images first."""
    files = find_files(source, params)
    facts = collect_facts(item if isinstance(item, Rejected) else item[0] for item in _texts(files))
    images = list(_image_files(files.root))
    if not any(map(is_image, images)):
        refuse_other_images(walk(image_folder(files.root)), image_folder(files.root))
    yield from _images(files.root, images, facts)
    texts = facts.check(_texts(files))
    yield from texts if any(map(is_image, images)) else _with_text_only_images(texts, facts)


@dataclass(frozen=True, slots=True)
class Files:
    """Which file of the corpus's folder is what."""

    root: Path
    comments: Path
    references: Path | None
    styles: tuple[tuple[str, Path], ...]


def find_files(source: Path, params: IngestParams) -> Files:
    """Find the files of comments, references and styles.

    Raises
    ------
    CorpusError
        A file that a parameter names is missing, or it is not plain which file holds the comments.
    """
    root = root_of(source)
    references = resolve(root, params.references, "ingest.references") if params.references else None
    styles = [(style, resolve(root, name, f"ingest.styles.{style}")) for style, name in sorted(params.styles.items())]
    others = [path for _, path in styles] + ([references] if references else [])
    if params.comments:
        comments = resolve(root, params.comments, "ingest.comments")
    elif source.is_file():
        comments = source
    else:
        comments = choose(root, SUFFIXES, "ingest.comments", stem="comments", without=others)
    return Files(root, comments, references, tuple(styles))


@dataclass(frozen=True, slots=True)
class Facts:
    """What rows of comments say about their images: the split (and where it was said first), and the labels."""

    splits: dict[str, tuple[str, str]]
    labels: dict[str, tuple[str, ...]]

    def split(self, image_id: str) -> str | None:
        """Return an image's split, where a row named one."""
        return self.splits.get(image_id, (None, ""))[0]

    def check(self, entries: Iterable[tuple[Entry, Record] | Rejected]) -> Iterator[Record]:
        """Pass the records of rows on, but for those that contradict an earlier row about an image's split."""
        for item in entries:
            if isinstance(item, Rejected):
                yield item
                continue
            entry, record = item
            split, said = self.splits.get(entry.image_id, (entry.split, ""))
            agrees = entry.split in (None, split)
            yield record if agrees else _contradiction(entry, record, f"'{entry.split}' here, '{split}' on {said}")


def collect_facts(entries: Iterable[Entry | Rejected]) -> Facts:
    """Read splits and labels off the rows of texts, before the images are given out."""
    facts = Facts({}, {})
    for entry in entries:
        if isinstance(entry, Entry):
            if entry.split is not None:
                facts.splits.setdefault(entry.image_id, (entry.split, f"{entry.position} of {entry.source}"))
            if entry.labels:
                known = facts.labels.get(entry.image_id, ())
                facts.labels[entry.image_id] = tuple(dict.fromkeys([*known, *entry.labels]))
    return facts


def _image_files(root: Path) -> Iterator[Path]:
    dedicated = (root / IMAGES).is_dir()
    return (path for path in walk(image_folder(root)) if dedicated or is_image(path))


def _images(root: Path, files: list[Path], facts: Facts) -> Iterator[Image | Rejected]:
    folder = image_folder(root)
    for path in files:
        image_id = normal(path.relative_to(folder).as_posix())
        place = {"source": printable(folder.relative_to(root).as_posix()), "position": printable(image_id)}
        reason = flaw_in_file(path, root) if is_image(path) else "unknown kind of image file"
        if reason:
            yield Rejected(kind="image", reason=reason, content=place["position"], image_id=image_id, **place)
        else:
            labels = facts.labels.get(image_id, ())
            yield Image(image_id=image_id, data=path, split=facts.split(image_id), labels=labels, **place)


def _texts(files: Files) -> Iterator[tuple[Entry, Comment | Reference] | Rejected]:
    for entry in _entries(files.comments, files.root):
        yield (entry, entry.comment()) if isinstance(entry, Entry) else entry
    for style, path in files.styles:
        for entry in _entries(path, files.root):
            yield (entry, entry.comment(style)) if isinstance(entry, Entry) else entry
    if files.references:
        for entry in _entries(files.references, files.root, kind="reference"):
            yield (entry, entry.reference()) if isinstance(entry, Entry) else entry


def _entries(path: Path, root: Path, kind: Kind = "comment") -> Iterator[Entry | Rejected]:
    """Read rows, whose images may be named from the corpus's folder as well as from its folder of images."""
    prefix = f"{IMAGES}/" if (root / IMAGES).is_dir() else ""
    for entry in read_entries(path, root, kind):
        if isinstance(entry, Entry) and entry.image_id.startswith(("./", prefix or "./")):
            yield replace(entry, image_id=entry.image_id.removeprefix("./").removeprefix(prefix))
        else:
            yield entry


def _with_text_only_images(records: Iterable[Record], facts: Facts) -> Iterator[Record]:
    known: set[str] = set()
    for record in records:
        if isinstance(record, Comment | Reference) and record.image_id not in known:
            known.add(record.image_id)
            yield Image(
                image_id=record.image_id,
                data=None,
                split=facts.split(record.image_id),
                labels=facts.labels.get(record.image_id, ()),
                source=record.source,
                position=record.position,
            )
        yield record


def _contradiction(entry: Entry, record: Record, detail: str) -> Rejected:
    kind: Kind = "reference" if isinstance(record, Reference) else "comment"
    content = printable(f"{entry.image_id}: {entry.text}")
    reason = f"contradictory split: {detail}"
    return Rejected(source=entry.source, position=entry.position, kind=kind, reason=reason, content=content)
