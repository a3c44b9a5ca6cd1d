"""Rows of a table of comments or references as typed values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from photocritic.ingest import splits
from photocritic.ingest.parsing.rows import Row, read_rows
from photocritic.ingest.records import AUTHOR, Comment, Kind, Reference, Rejected, normal, printable

IMAGE = ("image", "image_id", "image_name", "filename", "file_name")
TEXT = ("text", "caption", "comment")
TITLE, DESCRIPTION = "title", "description"  # what sharing sites have in place of a text
LABEL_SEPARATOR = ";"  # between an image's labels in one CSV field


@dataclass(frozen=True, slots=True)
class Entry:
    """One row: a text under an image, and what else the row says about either."""

    image_id: str
    text: str
    source: str
    position: str
    comment_id: str | None
    author_id: str | None
    style: str | None
    aspect: str | None
    split: str | None
    labels: tuple[str, ...]

    def comment(self, style: str | None = None) -> Comment:
        """Make the comment, with a given style or its own; its source names its aspect."""
        return Comment(
            comment_id=self.comment_id,
            image_id=self.image_id,
            author_id=self.author_id,
            text=self.text,
            style=style or self.style,
            source=f"{self.source}:{self.aspect}" if self.aspect else self.source,
            position=self.position,
        )

    def reference(self) -> Reference:
        """Make the reference caption."""
        return Reference(image_id=self.image_id, text=self.text, source=self.source, position=self.position)


def read_entries(path: Path, root: Path, kind: Kind = "comment") -> Iterator[Entry | Rejected]:
    """Stream a CSV, TSV or JSON Lines file that has an image column, and one of texts or of titles and descriptions.

    A row without a text is two comments, its title and the first line of its description, as far as it has them: what
    Déjà reads of a photograph (section 2).

    Parameters
    ----------
    path : Path
        The file.
    root : Path
        The corpus's folder; records name the file relative to it.
    kind : str
        What the rows are: comment or reference.

    Yields
    ------
    Entry or Rejected
        One for each row, or two for a title and a description.

    Raises
    ------
    CorpusError
        The file cannot be opened, or is CSV without an image or a text column.

    References
    ----------
    Chen et al., "Déjà Image-Captions", NAACL 2015, section 2.
    """
    source = printable(path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name)
    for row in read_rows(path, source, kind, needed=(IMAGE, (*TEXT, TITLE, DESCRIPTION))):
        if isinstance(row, Row):
            yield from _entries(row, source, kind)
        else:
            yield row


def _entries(row: Row, source: str, kind: Kind) -> list[Entry] | list[Rejected]:
    try:
        image_id = _image(row.values)
        text, *more = _texts(row.values)
        entry = Entry(
            image_id=image_id,
            text=text,
            source=source,
            position=row.position,
            comment_id=_optional(row.values, ("comment_id",)),
            author_id=_optional(row.values, AUTHOR),
            style=_optional(row.values, ("style",)),
            aspect=_optional(row.values, ("aspect",)),
            split=_split(row.values),
            labels=_labels(row.values),
        )
    except ValueError as error:
        return [row.rejected(source, kind, str(error))]
    comment_id = entry.comment_id and f"{entry.comment_id}-{DESCRIPTION}"
    return [entry, *(replace(entry, text=line, comment_id=comment_id) for line in more)]


def _first(values: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((values[name] for name in names if name in values), None)


def _image(values: Mapping[str, Any]) -> str:
    name = _optional(values, IMAGE)
    if name is None:
        raise ValueError("no image name")
    return normal(name)


def _texts(values: Mapping[str, Any]) -> list[str]:
    """Return the row's text, or its title and its description's first line; one at least."""
    if any(name in values for name in TEXT):
        texts = [_first(values, TEXT)]
    else:
        lines = ((_optional(values, (name,)) or "").splitlines() for name in (TITLE, DESCRIPTION))
        texts = [first for first, *_ in filter(None, lines)]
    if not texts or texts[0] is None:
        raise ValueError("empty text")
    if not isinstance(texts[0], str):
        raise ValueError(f"malformed row: its text is {_kind_of(texts[0])}")
    return texts


def _optional(values: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    value = _first(values, names)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"malformed row: its {names[0]} is {_kind_of(value)}")
    return (value or "").strip() or None


def _split(values: Mapping[str, Any]) -> str | None:
    given = _optional(values, ("split",))
    if given is None:
        return None
    split = splits.named(given)
    if split is None:
        raise ValueError(f"unknown split: '{printable(given)}' is none of {', '.join(splits.SPLITS)}")
    return split


def _labels(values: Mapping[str, Any]) -> tuple[str, ...]:
    given = _first(values, ("labels", "label"))
    parts = given.split(LABEL_SEPARATOR) if isinstance(given, str) else [] if given is None else given
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise ValueError("malformed row: its labels are not text")
    return tuple(part.strip() for part in parts if part.strip())


def _kind_of(value: Any) -> str:
    return {dict: "an object", list: "a list", bool: "a truth value"}.get(type(value), "a number")
