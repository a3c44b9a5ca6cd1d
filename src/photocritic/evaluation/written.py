"""Who wrote what about some images: reference captions, kept captions, or comments as they are."""

from collections.abc import Container
from pathlib import Path

from photocritic import tables
from photocritic.text.captions import caption_tokens

Written = tuple[str, tuple[str, ...], str]  # text, words, source
Found = dict[str, list[Written]]  # by image


def has_references(path: Path) -> bool:
    """Say whether a corpus has reference captions of its own."""
    return any(batch.num_rows for batch in tables.scan("references", path, ["image_id"]))


def from_references(path: Path, wanted: Container[str]) -> Found:
    """Read the reference captions of the images wanted; those without a word are left out."""
    return _written("references", path, wanted, tables.EVERY_ROW)


def from_comments(path: Path, wanted: Container[str]) -> Found:
    """Read the unstyled comments of the images wanted; those without a word are left out."""
    return _written("comments", path, wanted, tables.UNSTYLED)


def _written(table: str, path: Path, wanted: Container[str], view: tables.TableView) -> Found:
    found: Found = {}
    for batch in tables.scan(table, path, ["image_id", "text", "source"], view):
        for row in batch.to_pylist():
            if row["image_id"] in wanted and (tokens := tuple(caption_tokens(row["text"]))):
                found.setdefault(row["image_id"], []).append((row["text"], tokens, row["source"]))
    return found


def from_captions(path: Path, wanted: Container[str]) -> Found:
    """Read the kept, unstyled captions of the images wanted, as the filters have left their text."""
    found: Found = {}
    for batch in tables.scan("captions", path, ["image_id", "cleaned", "tokens", "source"], tables.FACTUAL):
        for row in batch.to_pylist():
            if row["tokens"] and row["image_id"] in wanted:
                found.setdefault(row["image_id"], []).append((row["cleaned"], tuple(row["tokens"]), row["source"]))
    return found
