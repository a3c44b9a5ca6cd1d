"""DPC-Captions (Jin et al. 2019): JSON objects of image name -> list of comments, one file an aspect."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from photocritic.config import IngestParams
from photocritic.core.errors import CorpusError
from photocritic.ingest.parsing.folders import Gallery, contained, resolve, walk_top
from photocritic.ingest.parsing.json_documents import pairs, text_or_rejected
from photocritic.ingest.readers import root_of
from photocritic.ingest.records import Comment, Record, Rejected, printable

INTERLEAVED: Final = False  # an image comes back in the next aspect's file


def read(source: Path, params: IngestParams, _seed: int) -> Iterator[Record]:
    """Stream the comments of one file, or of every JSON file of a folder; the source names the aspect."""
    root = root_of(source)
    gallery = Gallery(root)
    known: set[str] = set()
    for path in _files(source, root, params):
        found = False
        for image_id, texts in pairs(path):
            found = True
            if image_id not in known:
                known.add(image_id)
                yield gallery.image(image_id, source=path.name, position=printable(image_id))
            yield from comments_of(image_id, texts, f"dpc:{path.stem}")
        if not found:
            raise CorpusError(f"{path}: no JSON object of image names and their comments")


def _files(source: Path, root: Path, params: IngestParams) -> list[Path]:
    if params.comments:
        return [resolve(root, params.comments, "ingest.comments")]
    if source.is_file():
        return [source]
    files = [path for path in walk_top(root) if path.suffix.lower() == ".json"]
    if not files:
        raise CorpusError(f"{root}: no .json file; bring DPC-Captions' files, or name one by ingest.comments")
    return [contained(path, root) for path in files]


def comments_of(image_id: str, texts: object, source: str) -> Iterator[Comment | Rejected]:
    """Make the comments of one image from a JSON value that should be a list of strings."""
    for number, value in enumerate(texts if isinstance(texts, list) else [texts]):
        position = f"{printable(image_id)}[{number}]"
        text = text_or_rejected(value, source, position)
        if isinstance(text, Rejected):
            yield text
        else:
            yield Comment(image_id=image_id, text=text, source=source, position=position)
