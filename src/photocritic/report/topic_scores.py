"""How well each topic's photographs are captioned: every image counts under its strongest topic."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from photocritic import tables
from photocritic.report.blocks import Cell, Row, Section, Table
from photocritic.report.earlier_stages import read_json

STRONGEST = 3  # topics shown of an image, at most
LEAST = 0.1  # share of a second or third one
_TERMS = 3  # that name a topic


@dataclass(frozen=True)
class ImageTopics:
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
        """Return a topic's number and first terms."""
        return f"{topic}: {self.terms[topic]}" if topic in self.terms else f"{topic}"


def read_image_topics(topics: Path | None, model: Path | None, wanted: Container[str]) -> ImageTopics:
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
    ImageTopics
        Empty where one of the two is not there.
    """
    found = read_json(model / "topics.json") if model is not None else None
    if not found or topics is None or not topics.is_file():
        return ImageTopics()
    terms = {entry["topic"]: ", ".join(_spelled(entry["terms"])) for entry in found}
    strongest = {}
    for batch in tables.scan("topics", topics):
        column = batch.column("topics")
        shares = column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1).astype(np.float64)
        for image_id, row in zip(batch.column("image_id").to_pylist(), shares, strict=True):
            if image_id in wanted and row.max(initial=0.0) > row.min(initial=1.0):
                strongest[image_id] = _strongest(row)
    return ImageTopics(terms, strongest)


def _strongest(shares: np.ndarray) -> tuple[tuple[int, float], ...]:
    order = np.argsort(-shares, kind="stable")[:STRONGEST]
    return tuple(
        (int(topic), float(shares[topic])) for place, topic in enumerate(order) if not place or shares[topic] >= LEAST
    )


def _spelled(terms: Sequence[tuple[str, float]]) -> list[str]:
    return [term.replace("_", " ") for term, _ in terms[:_TERMS]]


def topic_section(
    image_ids: Sequence[str],
    scores: Mapping[str, NDArray[np.float64]],
    topics_of: ImageTopics,
    *,
    best: str,
    metric: str,
) -> Section | None:
    """Return the section of the mean score of each topic's images, the topics in which a variant does best first.

    Parameters
    ----------
    image_ids : sequence of str
        The N images.
    scores : mapping of str to ndarray, shape (N,)
        Scores of the images by variant.
    topics_of : ImageTopics
        The topics of the images; those of which nothing is known are left out.
    best : str
        The variant whose means give the order.
    metric : str
        What the scores are called.

    Returns
    -------
    Section or None
        None where no image has a topic.
    """
    places = by_strongest(image_ids, topics_of)
    if not places:
        return None
    means = {topic: {name: float(some[rows].mean()) for name, some in scores.items()} for topic, rows in places.items()}
    longest = max(value for some in means.values() for value in some.values()) or 1.0
    ordered = sorted(places, key=lambda topic: (-means[topic][best], topic))
    rows = [
        Row(topics_of.name(topic), [Cell(f"{len(places[topic]):,}"), *_cells(means[topic], longest)])
        for topic in ordered
    ]
    columns = [("topic", "its number and first terms"), ("photographs", "whose strongest topic it is")]
    columns += [(name, f"mean {metric} of its captions") for name in scores]
    counted = sum(map(len, places.values()))
    intro = (
        f"Mean {metric} of the captions by the strongest topic of what people wrote about the photograph, the topics "
        f"in which {best} does best first. The fewer photographs, the more a mean is chance."
    )
    if counted < len(image_ids):
        intro += f" Of {len(image_ids) - counted:,} photographs no topic is known."
    return Section("By topic", [Table(columns, rows)], intro)


def by_strongest(image_ids: Sequence[str], topics_of: ImageTopics) -> dict[int, list[int]]:
    """Return for each topic the places of the images whose strongest topic it is."""
    found: dict[int, list[int]] = {}
    for place, image_id in enumerate(image_ids):
        if known := topics_of.strongest.get(image_id):
            found.setdefault(known[0][0], []).append(place)
    return found


def _cells(means: Mapping[str, float], longest: float) -> list[Cell]:
    top = max(means.values()) if len(set(means.values())) > 1 else None
    return [Cell(f"{value:.3f}", value == top, bar=max(0.0, value) / longest) for value in means.values()]
