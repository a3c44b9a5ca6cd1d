"""COCO captions: JSON documents of images and annotations, and Karpathy's split of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from photocritic.config import IngestParams
from photocritic.core.errors import CorpusError
from photocritic.ingest.parsing import karpathy
from photocritic.ingest.parsing.folders import Gallery, contained, resolve, walk_top
from photocritic.ingest.parsing.json_documents import items, text_or_rejected
from photocritic.ingest.readers import root_of
from photocritic.ingest.records import Comment, Record, Rejected, described
from photocritic.ingest.splits import split_in_name

INTERLEAVED: Final = False  # annotations stand apart from images
ANNOTATIONS: Final = "annotations"


def read(source: Path, params: IngestParams, _seed: int) -> Iterator[Record]:
    """Stream the images of each document and then its captions.

    Several documents (captions_train2017.json and captions_val2017.json) give their images the splits in their names;
    the images of a single one are split like those of any other corpus.
    """
    root = root_of(source)
    root = root.parent if root.name == ANNOTATIONS else root
    files = _files(source, root, params)
    gallery = Gallery(root)
    for path in files:
        if karpathy.is_karpathy(path):
            yield from _karpathy(path, gallery)
        else:
            yield from _document(path, gallery, split_in_name(path.stem) if len(files) > 1 else None)


def _files(source: Path, root: Path, params: IngestParams) -> list[Path]:
    if params.comments:
        return [resolve(root, params.comments, "ingest.comments")]
    if source.is_file():
        return [source]
    folder = root / ANNOTATIONS if (root / ANNOTATIONS).is_dir() else root
    documents = [path for path in walk_top(folder) if path.suffix.lower() == ".json"]
    files = [path for path in documents if path.name.startswith("captions_")] or documents
    if not files:
        raise CorpusError(f"{folder}: no captions_*.json; bring COCO's annotations, or name one by ingest.comments")
    return [contained(path, root) for path in files]


def _document(path: Path, gallery: Gallery, split: str | None) -> Iterator[Record]:
    names: dict[int, str] = {}
    for number, item in enumerate(items(path, "images.item")):
        position = f"images[{number}]"
        match item:
            case {"id": int(key), "file_name": str(name)} if key not in names:
                names[key] = name
                yield gallery.image(name, source=path.name, position=position, split=split)
            case _:
                yield _malformed(path, position, "image", item)
    if not names:
        raise CorpusError(f"{path}: no images with an id and a file_name; is this a COCO captions file?")
    for number, item in enumerate(items(path, "annotations.item")):
        position = f"annotations[{number}]"
        match item:
            case {"image_id": int(key), "caption": caption}:
                yield _comment(path, position, names.get(key, str(key)), item.get("id"), caption)
            case _:
                yield _malformed(path, position, "comment", item)


def _comment(path: Path, position: str, image_id: str, key: Any, caption: Any) -> Comment | Rejected:
    text = text_or_rejected(caption, path.name, position)
    if isinstance(text, Rejected):
        return text
    comment_id = str(key) if isinstance(key, int | str) else None
    return Comment(comment_id=comment_id, image_id=image_id, text=text, source=path.name, position=position)


def _malformed(path: Path, position: str, kind: Any, item: Any) -> Rejected:
    reason = "malformed row: no new id and file_name" if kind == "image" else "malformed row: no image_id and caption"
    return Rejected(source=path.name, position=position, kind=kind, reason=reason, content=described(item))


def _karpathy(path: Path, gallery: Gallery) -> Iterator[Record]:
    for entry in karpathy.entries(path):
        if isinstance(entry, Rejected):
            yield entry
            continue
        name, position, split, sentences = entry
        yield gallery.image(name, source=path.name, position=position, split=split)
        yield from karpathy.comments(name, position, sentences, path.name)
