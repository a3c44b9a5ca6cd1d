"""What the variants are measured against: the held-back images and what people wrote about them."""

import logging
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from photocritic import tables
from photocritic.core.errors import PhotocriticError
from photocritic.text import caption_tokens
from photocritic.text.cleaning import chain_cleaner
from photocritic.validation.near_duplicates import near_any

log = logging.getLogger(__name__)
Written = tuple[str, tuple[str, ...], str]  # text, words, source
Found = dict[str, list[Written]]  # by image
Chain = Sequence[str | dict[str, dict[str, Any]]]  # `filter.chain`


@dataclass(frozen=True)
class EvaluationExample:
    """A held-back image with its references.

    Attributes
    ----------
    image_id, path : str
        As in the images table.
    labels : tuple of str
        What the corpus itself says about the image.
    texts : tuple of str
        The reference captions, cleaned as comments are.
    tokens : tuple of tuple of str
        The words of each of them; none is empty.
    sources : tuple of str
        Where each was written: a file, or an aspect of a critique (PCCD).
    sha256 : str
        Of the encoded image, as in the images table.
    """

    image_id: str
    path: str
    labels: tuple[str, ...]
    texts: tuple[str, ...]
    tokens: tuple[tuple[str, ...], ...]
    sources: tuple[str, ...]
    sha256: str = ""


@dataclass(frozen=True)
class EvaluationSet:
    """The held-back images that have references, by image_id, and the number of those that have none.

    Attributes
    ----------
    examples : list of EvaluationExample
        The images to caption, sorted by image_id.
    without_references : int
        Images of the split that are left out because nothing usable was written about them.
    source : str
        "references" (the corpus's own), "captions" (the kept comments) or "comments" (all, of a corpus that was not
        filtered).
    images : int
        Images of all splits.
    seen : int
        Images of the split that are left out because captioners were trained on them; of another corpus alone.
    """

    examples: list[EvaluationExample]
    without_references: int
    source: str
    images: int
    seen: int = 0

    @property
    def references(self) -> int:
        """Number of reference captions."""
        return sum(len(example.tokens) for example in self.examples)


def load_evaluation_set(
    images: Path, captions: Path, references: Path, split: str, chain: Chain = (), required: bool = True
) -> EvaluationSet:
    """Load the images of a split and their references.

    Where the corpus has reference captions, they alone are used; else the kept, unstyled captions of the images.

    Parameters
    ----------
    images, captions, references : Path
        The tables.
    split : str
        val or test.
    chain : sequence of str or dict
        `filter.chain`, whose filters `clean` clean the corpus's reference captions, too.
    required : bool
        Whether the set must not be empty.

    Returns
    -------
    EvaluationSet
        Images, references and what was left out.

    Raises
    ------
    PhotocriticError
        No image of the split has a reference though it is required, or the corpus has no images at hand.
    """
    total, held_back = _held_back(images, split)
    source = "references" if _has_references(references) else "captions"
    cleaned = chain_cleaner(chain)
    if source == "references":
        found = _from_references(references, held_back, cleaned)
    else:
        found = _from_captions(captions, held_back)
    evaluation_set = _evaluation_set(held_back, found, source, total)
    if required and not evaluation_set.examples:
        raise PhotocriticError(
            f"none of the {len(held_back)} images of split '{split}' has a reference caption; "
            f"raise ingest.{split}_share, lower filter.threshold, or give ingest.references"
        )
    return evaluation_set


def load_other_evaluation_set(corpus: Path, split: str, trained_on: Path, chain: Chain = ()) -> EvaluationSet:
    """Load the images of a split of another ingested corpus and their references.

    Where it has reference captions, they alone are used; else all unstyled comments, since it has not been filtered.
    Both are cleaned.

    Parameters
    ----------
    corpus : Path
        The folder that its ingestion wrote.
    split : str
        val or test.
    trained_on : Path
        The images table of the corpus that was trained on; its training images are left out, found by their bytes
        and by their perceptual hashes (`near_duplicates`).
    chain : sequence of str or dict
        `filter.chain` of the corpus that was trained on, for what cleans texts in it.

    Returns
    -------
    EvaluationSet
        Images, references and what was left out.

    Raises
    ------
    PhotocriticError
        The folder is no ingested corpus, no image of the split has a reference, or it has no images at hand.
    """
    images, references = corpus / "images.parquet", corpus / "references.parquet"
    if not images.is_file():
        raise PhotocriticError(f"predict.on: {corpus} is no ingested corpus; write one with `photocritic ingest`")
    total, held_back = _held_back(images, split)
    fresh = _without_copies(held_back, [row for row in _images(trained_on) if row["split"] == "train"])
    source = "references" if _has_references(references) else "comments"
    tables.check_references(source, corpus / f"{source}.parquet", images=images)
    read = _from_references if source == "references" else _from_comments
    evaluation_set = _evaluation_set(
        fresh, read(corpus / f"{source}.parquet", fresh, chain_cleaner(chain)), source, total
    )
    if not evaluation_set.examples:
        raise PhotocriticError(
            f"predict.on: none of the {len(fresh)} new images of split '{split}' of {corpus} has a reference caption "
            "or comment; ingest it with a larger test_share"
        )
    return replace(evaluation_set, seen=len(held_back) - len(fresh))


def _images(path: Path) -> Iterator[dict[str, Any]]:
    for batch in tables.scan("images", path, ["image_id", "path", "split", "labels", "sha256", "phash"]):
        yield from batch.to_pylist()


def _without_copies(images: dict[str, dict[str, Any]], seen: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the images that neither have the bytes of a seen one nor look like it."""
    known = {row["sha256"] for row in seen}
    looks = np.array([row["phash"] for row in seen if row["phash"]], np.int64)  # 0: of a picture of one colour
    alike = near_any(np.array([row["phash"] or 0 for row in images.values()], np.int64), looks)
    fresh = zip(images.items(), ~alike, strict=True)
    return {image_id: row for (image_id, row), is_new in fresh if is_new and row["sha256"] not in known}


def _held_back(images: Path, split: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """Return the number of all images, and the rows of those of a split by image_id."""
    total = 0
    held_back: dict[str, dict[str, Any]] = {}
    for row in _images(images):
        total += 1
        if row["split"] == split:
            held_back[row["image_id"]] = row
    if any(not row["path"] for row in held_back.values()):
        raise PhotocriticError(f"{images}: no images at hand, only text; captioners need images to be evaluated on")
    return total, held_back


def _evaluation_set(held_back: dict[str, dict[str, Any]], found: Found, source: str, total: int) -> EvaluationSet:
    examples = [_example(held_back[image_id], found[image_id]) for image_id in sorted(found)]
    bare = len(held_back) - len(examples)
    log.info("%d held-back images with references from %s, %d without", len(examples), source, bare)
    return EvaluationSet(examples, bare, source, total)


def _example(row: dict[str, Any], written: Sequence[Written]) -> EvaluationExample:
    texts, tokens, sources = zip(*written, strict=True)
    return EvaluationExample(row["image_id"], row["path"], tuple(row["labels"]), texts, tokens, sources, row["sha256"])


def _has_references(path: Path) -> bool:
    """Return whether a corpus has reference captions of its own."""
    return any(batch.num_rows for batch in tables.scan("references", path, ["image_id"]))


def _from_references(path: Path, wanted: Container[str], cleaned: Callable[[str], str]) -> Found:
    """Read the reference captions of the images wanted; those without a word are left out."""
    return _read("references", path, wanted, cleaned, tables.EVERY_ROW)


def _from_comments(path: Path, wanted: Container[str], cleaned: Callable[[str], str]) -> Found:
    """Read the unstyled comments of the images wanted; those without a word are left out."""
    return _read("comments", path, wanted, cleaned, tables.UNSTYLED)


def _read(
    table: str, path: Path, wanted: Container[str], cleaned: Callable[[str], str], view: tables.TableView
) -> Found:
    found: Found = {}
    for batch in tables.scan(table, path, ["image_id", "text", "source"], view):
        for row in batch.to_pylist():
            if row["image_id"] not in wanted:
                continue
            text = cleaned(row["text"])
            if tokens := tuple(caption_tokens(text)):
                found.setdefault(row["image_id"], []).append((text, tokens, row["source"]))
    return found


def _from_captions(path: Path, wanted: Container[str]) -> Found:
    """Read the kept, unstyled captions of the images wanted, as the filters have left their text."""
    found: Found = {}
    for batch in tables.scan("captions", path, ["image_id", "cleaned", "tokens", "source"], tables.FACTUAL):
        for row in batch.to_pylist():
            if row["tokens"] and row["image_id"] in wanted:
                found.setdefault(row["image_id"], []).append((row["cleaned"], tuple(row["tokens"]), row["source"]))
    return found
