"""The topics in the report: what each is about, and the photographs nearest to it (AIC Figure 3)."""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from photocritic import tables
from photocritic.report.blocks import Group, Section, Terms, Thumbnail
from photocritic.report.earlier_stages import read_json
from photocritic.report.gallery import thumbnails

TERMS = 12  # of a topic
PICTURED = 12  # topics that are shown with photographs: the first, which are the largest
NEAREST = 4  # photographs of a topic
SIDE = 128  # pixels of a photograph's longer side


@dataclass(frozen=True)
class Topics:
    """What the topics table says.

    Attributes
    ----------
    share : ndarray of float64, shape (K,)
        Each topic's mean share of an image.
    nearest : list of list of (float, str)
        For each topic the images with the highest shares, and these; of equals the first in the table.
    """

    share: np.ndarray = field(default_factory=lambda: np.zeros(0))
    nearest: list[list[tuple[float, str]]] = field(default_factory=list)


def topics_section(
    topics: Path | None, model: Path | None, images: Path, shards: Path, *, pictures: bool = True
) -> Section | None:
    """Return the section of each topic's terms and share, and of the largest topics the nearest photographs.

    Parameters
    ----------
    topics : Path, optional
        The topics table.
    model : Path, optional
        The topic model's folder; nothing is shown where its summary is not there.
    images, shards : Path
        The images table and its images; a corpus of text only has none to show.
    pictures : bool
        Whether photographs are wanted.
    """
    found = read_json(model / "topics.json") if model is not None else None
    if not found:
        return None
    table = read_topics(topics, NEAREST) if topics is not None and topics.is_file() else Topics()
    first = [entry["topic"] for entry in found[:PICTURED]] if pictures else []
    largest = [topic for topic in first if topic < len(table.nearest)]
    shown = _pictures({topic: table.nearest[topic] for topic in largest}, images, shards)
    groups = [_group(entry, table, shown.get(entry["topic"], [])) for entry in found]
    intro = (
        "What people talk about: the most probable terms of each topic of the latent Dirichlet allocation, and "
        "its mean share of an image. The CNN of the weak features learned these instead of hand labels."
    )
    if any(shown.values()):
        intro += " The photographs are those of whose comments the topic has the largest share."
    return Section("Topics", [Terms(groups)], intro=intro)


def read_topics(path: Path, nearest: int) -> Topics:
    """Compute what a topics table says in a stream; `nearest` is how many images are named for each topic."""
    total, count = np.zeros(0), 0
    best: list[list[tuple[float, str]]] = []
    for batch in tables.scan("topics", path):
        column = batch.column("topics")
        shares = column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1).astype(np.float64)
        ids = batch.column("image_id").to_pylist()
        total = (total if total.size else np.zeros(shares.shape[1])) + shares.sum(axis=0)
        best = [
            _highest([*old, *_candidates(shares[:, topic], ids, nearest)], nearest)
            for topic, old in enumerate(best or [[] for _ in range(shares.shape[1])])
        ]
        count += len(ids)
    return Topics(total / max(1, count), best)


def _candidates(shares: np.ndarray, ids: Sequence[str], count: int) -> Iterable[tuple[float, str]]:
    order = np.argsort(-shares, kind="stable")[:count]
    return [(float(shares[row]), ids[row]) for row in order if shares[row] > 0]


def _highest(some: list[tuple[float, str]], count: int) -> list[tuple[float, str]]:
    return heapq.nlargest(count, some, key=lambda pair: pair[0])  # keeps the order of equals


def _pictures(nearest: dict[int, list[tuple[float, str]]], images: Path, shards: Path) -> dict[int, list[Thumbnail]]:
    wanted = {image for pairs in nearest.values() for _, image in pairs}
    found = thumbnails(wanted, images, shards, SIDE)
    return {
        topic: [Thumbnail(found[image], f"{image}: {share:.0%}") for share, image in pairs if image in found]
        for topic, pairs in nearest.items()
    }


def _group(entry: dict[str, Any], table: Topics, pictures: list[Thumbnail]) -> Group:
    terms = entry["terms"][:TERMS]
    most = max((weight for _, weight in terms), default=1.0) or 1.0
    small = f"{table.share[entry['topic']]:.1%}" if entry["topic"] < len(table.share) else ""
    weighted = [(term.replace("_", " "), weight / most) for term, weight in terms]
    return Group(f"{entry['topic']}", small, weighted, pictures)
