"""PCCD (Chang et al. 2017): JSON lists of photographs, each with a critique in seven aspects.

The corpus is one list, whose photographs are split like those of any other corpus, or a list a split, named by it:
guru_train.json, guru_validation.json and guru_test.json.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from photocritic.config import IngestParams
from photocritic.core.errors import CorpusError
from photocritic.ingest.parsing.folders import Gallery, choose, contained, resolve, walk_top
from photocritic.ingest.parsing.json_documents import items, text_or_rejected
from photocritic.ingest.readers import root_of
from photocritic.ingest.records import Comment, Record, Rejected, described
from photocritic.ingest.splits import split_in_name

INTERLEAVED: Final = True
ASPECTS: Final = (
    "general_impression",
    "subject_of_photo",
    "composition",
    "use_of_camera",
    "depth_of_field",
    "color_lighting",
    "focus",
)


def read(source: Path, params: IngestParams, _seed: int) -> Iterator[Record]:
    """Stream photographs with one comment an aspect; the source names the aspect, the category is a label."""
    root = root_of(source)
    gallery = Gallery(root)
    used: dict[str, str] = {}
    for path, split in _files(source, root, params):
        found = False
        for number, item in enumerate(items(path, "item")):
            found = True
            yield from _critique(item, f"item {number}", path.name, split, gallery, used)
        if not found:
            raise CorpusError(f"{path}: no JSON list of photographs with their critiques")


def _files(source: Path, root: Path, params: IngestParams) -> list[tuple[Path, str | None]]:
    """Return the lists to read, each with the split of its photographs, None where these are drawn."""
    if params.comments:
        return [(resolve(root, params.comments, "ingest.comments"), None)]
    if source.is_file():
        return [(source, None)]
    lists = [path for path in walk_top(root) if path.suffix.lower() == ".json"]
    splits = {path: found for path in lists if (found := split_in_name(path.stem))}
    if len(splits) < 2:
        return [(choose(root, (".json",), "ingest.comments"), None)]
    return [(contained(path, root), split) for path, split in splits.items()]


def _critique(
    item: Any, position: str, source: str, split: str | None, gallery: Gallery, used: dict[str, str]
) -> Iterator[Record]:
    image_id = _image_id(item, gallery, used) if isinstance(item, dict) else ""
    if not image_id:
        reason = "no image name" if isinstance(item, dict) else "malformed row: not a JSON object"
        yield Rejected(source=source, position=position, kind="image", reason=reason, content=described(item))
        return
    category = item.get("category")
    labels = (f"category:{category}",) if isinstance(category, str) and category else ()
    yield gallery.image(image_id, source=source, position=position, split=split, labels=labels)
    for aspect in ASPECTS:
        place = f"{position}.{aspect}"
        text = text_or_rejected(item.get(aspect) or "", f"pccd:{aspect}", place)
        if isinstance(text, Rejected):
            yield text
        else:
            yield Comment(image_id=image_id, text=text, source=f"pccd:{aspect}", position=place)


def _image_id(item: Mapping[str, Any], gallery: Gallery, used: dict[str, str]) -> str:
    """Name a photograph by its title, or by its address; one title may stand over several addresses."""
    url = item.get("image_url") or item.get("site") or ""
    address = _last_part(url) if isinstance(url, str) else ""
    title = item.get("title")
    name = title.strip() if isinstance(title, str) and title.strip() else address
    if used.setdefault(name, address) != address:
        name = f"{name}_{PurePosixPath(address).stem}"
    files = [name, address, *(f"{name}{suffix}" for suffix in (".jpg", ".jpeg", ".png"))]
    return next((file for file in files if file in gallery), name)


def _last_part(url: str) -> str:
    try:
        return PurePosixPath(unquote(urlsplit(url).path)).name
    except ValueError:  # such as a bracket that opens an IPv6 address and never closes
        return ""
