"""What the variants are measured against: the held-back images and what people wrote about them."""

import logging
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from photocritic import tables
from photocritic.errors import PhotocriticError
from photocritic.language.captions import caption_tokens

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Subject:
    """A held-back image with its references.

    Attributes
    ----------
    image_id, path : str
        As in the images table.
    labels : tuple of str
        What the corpus itself says about the image.
    texts : tuple of str
        The reference captions as they were written.
    tokens : tuple of tuple of str
        The words of each of them; none is empty.
    """

    image_id: str
    path: str
    labels: tuple[str, ...]
    texts: tuple[str, ...]
    tokens: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Truth:
    """The held-back images that have references, by image_id, and the number of those that have none.

    Attributes
    ----------
    subjects : list of Subject
        The images to caption, sorted by image_id.
    without_references : int
        Images of the split that are left out because nothing usable was written about them.
    source : str
        "references" (the corpus's own) or "captions" (the kept comments).
    images : int
        Images of all splits.
    """

    subjects: list[Subject]
    without_references: int
    source: str
    images: int

    @property
    def references(self) -> int:
        """Number of reference captions."""
        return sum(len(subject.tokens) for subject in self.subjects)


def gather(images: Path, captions: Path, references: Path, split: str) -> Truth:
    """Find the images of a split and their references.

    Where the corpus has reference captions, they alone are used; else the kept, unstyled captions of the images.

    Parameters
    ----------
    images, captions, references : Path
        The tables.
    split : str
        val or test.

    Returns
    -------
    Truth
        Images, references and what was left out.

    Raises
    ------
    PhotocriticError
        No image of the split has a reference, or the corpus has no images at hand.
    """
    total = 0
    held_back: dict[str, dict[str, Any]] = {}
    for batch in tables.scan("images", images, ["image_id", "path", "split", "labels"]):
        total += batch.num_rows
        held_back.update((row["image_id"], row) for row in batch.to_pylist() if row["split"] == split)
    if any(not row["path"] for row in held_back.values()):
        raise PhotocriticError(f"{images}: no images at hand, only text; captioners need images to be evaluated on")
    source = "references" if _has_rows(references) else "captions"
    found = _from_references(references, held_back) if source == "references" else _from_captions(captions, held_back)
    subjects = [_subject(held_back[image_id], found[image_id]) for image_id in sorted(found)]
    if not subjects:
        raise PhotocriticError(
            f"none of the {len(held_back)} images of split '{split}' has a reference caption; "
            "raise ingest.test_share, lower filter.threshold, or give ingest.references"
        )
    bare = len(held_back) - len(subjects)
    log.info("%d images of split %s with references from %s, %d without", len(subjects), split, source, bare)
    return Truth(subjects, bare, source, total)


def _has_rows(path: Path) -> bool:
    return any(batch.num_rows for batch in tables.scan("references", path, ["image_id"]))


Found = dict[str, list[tuple[str, tuple[str, ...]]]]


def _from_references(path: Path, wanted: Container[str]) -> Found:
    found: Found = {}
    for batch in tables.scan("references", path, ["image_id", "text"]):
        for image_id, text in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if image_id in wanted and (tokens := tuple(caption_tokens(text))):
                found.setdefault(image_id, []).append((text, tokens))
    return found


def _from_captions(path: Path, wanted: Container[str]) -> Found:
    found: Found = {}
    for batch in tables.scan("captions", path, ["image_id", "cleaned", "tokens", "kept", "style"]):
        for row in batch.to_pylist():
            usable = row["kept"] and row["style"] is None and row["tokens"]
            if usable and row["image_id"] in wanted:
                found.setdefault(row["image_id"], []).append((row["cleaned"], tuple(row["tokens"])))
    return found


def _subject(row: dict[str, Any], written: list[tuple[str, tuple[str, ...]]]) -> Subject:
    texts, tokens = zip(*written, strict=True)
    return Subject(row["image_id"], row["path"], tuple(row["labels"]), texts, tokens)
