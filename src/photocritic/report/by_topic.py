"""How well each topic's photographs are captioned: every image counts under its strongest topic."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from photocritic.report.blocks import Cell, Row, Section, Table
from photocritic.report.themes import Themes


def topic_section(
    image_ids: Sequence[str],
    scores: Mapping[str, NDArray[np.float64]],
    themes: Themes,
    *,
    best: str,
    metric: str,
) -> Section | None:
    """Show the mean score of each topic's images, the topics in which a variant does best first.

    Parameters
    ----------
    image_ids : sequence of str
        The N images.
    scores : mapping of str to ndarray, shape (N,)
        Scores of the images by variant.
    themes : Themes
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
    places = by_strongest(image_ids, themes)
    if not places:
        return None
    means = {topic: {name: float(some[rows].mean()) for name, some in scores.items()} for topic, rows in places.items()}
    longest = max(value for some in means.values() for value in some.values()) or 1.0
    ordered = sorted(places, key=lambda topic: (-means[topic][best], topic))
    rows = [
        Row(themes.name(topic), [Cell(f"{len(places[topic]):,}"), *_cells(means[topic], longest)]) for topic in ordered
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


def by_strongest(image_ids: Sequence[str], themes: Themes) -> dict[int, list[int]]:
    """Give for each topic the places of the images whose strongest topic it is."""
    found: dict[int, list[int]] = {}
    for place, image_id in enumerate(image_ids):
        if known := themes.strongest.get(image_id):
            found.setdefault(known[0][0], []).append(place)
    return found


def _cells(means: Mapping[str, float], longest: float) -> list[Cell]:
    top = max(means.values()) if len(set(means.values())) > 1 else None
    return [Cell(f"{value:.3f}", value == top, bar=max(0.0, value) / longest) for value in means.values()]
