"""The gallery's images, small enough to stand inside the page."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from photocritic.evaluation.measure import Measures
from photocritic.evaluation.predictions import Prediction
from photocritic.evaluation.truth import Subject
from photocritic.images import decoding
from photocritic.images.shards import read_images
from photocritic.metrics.labels import label
from photocritic.report.cards import Card, Gallery, Spoken
from photocritic.report.figures import colours
from photocritic.report.themes import Themes

SIDE = 256  # pixels of a thumbnail's longer side: sharp enough at the card's width on a dense screen
EXTREMES = 6  # of the best images, and of the worst
_QUALITY = 78  # of the thumbnail's JPEG; about 8 kB an image


@dataclass(frozen=True)
class Exhibits:
    """The held-back images, in one order, with all that cards tell of them.

    Attributes
    ----------
    subjects : sequence of Subject
        The images.
    predictions, measures : mapping
        By variant, in the order of the images.
    themes : Themes
        The topics of the images.
    shards : Path
        Where the images' bytes are.
    """

    subjects: Sequence[Subject]
    predictions: Mapping[str, Sequence[Prediction]]
    measures: Mapping[str, Measures]
    themes: Themes
    shards: Path


def gallery(exhibits: Exhibits, count: int) -> Gallery:
    """Choose at most `count` images evenly over the held-back ones; the cards are in the order of image_id."""
    shown = min(count, len(exhibits.subjects))
    return _hang(exhibits, [place * len(exhibits.subjects) // shown for place in range(shown)])


def extremes(exhibits: Exhibits, variant: str, metric: str) -> list[Gallery]:
    """Give the images whose caption by a variant scores best, and worst; none twice, of equals the first."""
    scores = exhibits.measures[variant].per_image[metric]
    order = [int(place) for place in np.argsort(-scores, kind="stable")]
    count = min(EXTREMES, len(order) // 2)
    found = {"Best": order[:count], "Worst": order[len(order) - count :][::-1]}
    return [_hang(exhibits, places, title, tools=False) for title, places in found.items() if places]


def _hang(exhibits: Exhibits, places: Sequence[int], title: str = "", *, tools: bool = True) -> Gallery:
    keys = _by_importance(next(iter(exhibits.measures.values())).per_image)
    subjects = [exhibits.subjects[place] for place in places]
    images = read_images([one.path for one in subjects], exhibits.shards, [one.sha256 for one in subjects])
    cards = [_card(exhibits, place, data, keys) for place, data in zip(places, images, strict=True)]
    named = sorted({topic for card in cards for topic, _ in card.topics})
    return Gallery(
        colours=colours(list(exhibits.predictions)),
        metrics={key: label(key) for key in keys},
        cards=cards,
        topics={topic: exhibits.themes.name(topic) for topic in named},
        title=title,
        tools=tools,
    )


def _card(exhibits: Exhibits, place: int, data: bytes, keys: Sequence[str]) -> Card:
    subject = exhibits.subjects[place]
    return Card(
        image_id=subject.image_id,
        thumbnail=thumbnail(data),
        spoken=[
            Spoken(name, one.text, one.logprob, [float(exhibits.measures[name].per_image[key][place]) for key in keys])
            for name, some in exhibits.predictions.items()
            for one in [some[place]]
        ],
        references=subject.texts,
        labels=[text.rpartition(":")[2].replace("_", " ") for text in subject.labels],
        topics=exhibits.themes.strongest.get(subject.image_id, ()),
    )


def _by_importance(keys: Iterable[str]) -> list[str]:
    """Put CIDEr-D first, which most papers rank captioners by."""
    return sorted(keys, key=lambda key: key != "cider_d")


def thumbnail(data: bytes, side: int = SIDE) -> str:
    """Shrink an encoded image into a JPEG data URI; `side` is its longer side in pixels, at most."""
    return "data:image/jpeg;base64," + base64.b64encode(decoding.thumbnail(data, side, _QUALITY)).decode()
