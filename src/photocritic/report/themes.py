"""The topics that people's comments give to single images: names to read, and the strongest ones of each."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from photocritic import tables
from photocritic.report.context import read_json

STRONGEST = 3  # topics told of an image, at most
LEAST = 0.1  # share of a second or third one
_TERMS = 3  # that name a topic


@dataclass(frozen=True)
class Themes:
    """Topics by number, and of each image.

    Attributes
    ----------
    terms : mapping of int to str
        The first terms of each topic.
    strongest : mapping of str to tuple of (int, float)
        By image_id the topics with the largest shares, and these, the largest first; none where no topic is any
        stronger than the others, as for images about which nothing usable was written.
    """

    terms: Mapping[int, str] = field(default_factory=dict)
    strongest: Mapping[str, tuple[tuple[int, float], ...]] = field(default_factory=dict)

    def name(self, topic: int) -> str:
        """Give a topic's number and first terms."""
        return f"{topic}: {self.terms[topic]}" if topic in self.terms else f"{topic}"


def read_themes(topics: Path | None, model: Path | None, wanted: Container[str]) -> Themes:
    """Read the topics of some images; streams the table.

    Parameters
    ----------
    topics : Path, optional
        The topics table.
    model : Path, optional
        The topic model's folder, with topics.json.
    wanted : container of str
        The image_ids.

    Returns
    -------
    Themes
        Empty where one of the two is not there.
    """
    found = read_json(model / "topics.json") if model is not None else None
    if not found or topics is None or not topics.is_file():
        return Themes()
    terms = {entry["topic"]: ", ".join(_told(entry["terms"])) for entry in found}
    strongest = {}
    for batch in tables.scan("topics", topics):
        column = batch.column("topics")
        shares = column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1).astype(np.float64)
        for image_id, row in zip(batch.column("image_id").to_pylist(), shares, strict=True):
            if image_id in wanted and row.max(initial=0.0) > row.min(initial=1.0):
                strongest[image_id] = _strongest(row)
    return Themes(terms, strongest)


def _strongest(shares: np.ndarray) -> tuple[tuple[int, float], ...]:
    order = np.argsort(-shares, kind="stable")[:STRONGEST]
    return tuple(
        (int(topic), float(shares[topic])) for place, topic in enumerate(order) if not place or shares[topic] >= LEAST
    )


def _told(terms: Sequence[tuple[str, float]]) -> list[str]:
    return [term.replace("_", " ") for term, _ in terms[:_TERMS]]
