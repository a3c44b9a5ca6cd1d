"""The JSON layout of Karpathy's caption data sets, which AVA-Captions and many others follow."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from photocritic.ingest import splits
from photocritic.ingest.parsing.json_documents import items, text_or_rejected
from photocritic.ingest.records import Comment, Rejected, described, printable


def is_karpathy(path: Path) -> bool:
    """Return whether a JSON document is {"images": [{"filename": ..., "sentences": [...]}, ...]}."""
    first = next(items(path, "images.item"), None)
    return isinstance(first, dict) and "sentences" in first


def entries(path: Path) -> Iterator[tuple[str, str, str | None, list[Any]] | Rejected]:
    """Stream the images of such a document.

    Yields
    ------
    tuple or Rejected
        The image's file name, its position, its split (None where it has none), and its sentences.
    """
    for number, item in enumerate(items(path, "images.item")):
        position = f"images[{number}]"
        fields = item if isinstance(item, dict) else {}
        name, given, sentences = fields.get("filename"), fields.get("split"), fields.get("sentences")
        split = splits.named(given) if isinstance(given, str) else None
        if isinstance(name, str) and isinstance(sentences, list) and (split or given is None):
            yield name, position, split, sentences
        else:
            known = isinstance(name, str) and isinstance(sentences, list)
            reason = f"unknown split: {printable(str(given))}" if known else "malformed row: no filename and sentences"
            image_id = name if isinstance(name, str) else None
            yield Rejected(
                source=path.name,
                position=position,
                kind="image",
                reason=reason,
                content=described(item),
                image_id=image_id,
            )


def comments(image_id: str, position: str, sentences: list[Any], source: str) -> Iterator[Comment | Rejected]:
    """Make the comments of one image from its sentences, each an object with the text under "raw"."""
    for number, sentence in enumerate(sentences):
        place = f"{position}.sentences[{number}]"
        text = text_or_rejected(sentence.get("raw") if isinstance(sentence, dict) else sentence, source, place)
        if isinstance(text, Rejected):
            yield text
        else:
            yield Comment(image_id=image_id, text=text, source=source, position=place)
