"""The gallery's images, small enough to stand inside the page."""

import base64
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from photocritic import tables
from photocritic.evaluation.evaluation_set import EvaluationExample
from photocritic.evaluation.measure import Measures
from photocritic.evaluation.predictions import Prediction
from photocritic.images import decoding
from photocritic.images.shards import read_images
from photocritic.metrics.columns import label
from photocritic.report.cards import Card, Gallery, ScoredCaption
from photocritic.report.figures import colours
from photocritic.report.topic_scores import ImageTopics

SIDE = 256  # pixels of a thumbnail's longer side: sharp enough at the card's width on a dense screen
EXTREMES = 6  # of the best images, and of the worst
_QUALITY = 78  # of the thumbnail's JPEG; about 8 kB an image


@dataclass(frozen=True)
class GalleryData:
    """The held-back images, in one order, with all that cards show of them.

    Attributes
    ----------
    examples : sequence of EvaluationExample
        The images.
    predictions, measures : mapping
        By variant, in the order of the images.
    topics : ImageTopics
        The topics of the images.
    shards : Path
        Where the images' bytes are.
    """

    examples: Sequence[EvaluationExample]
    predictions: Mapping[str, Sequence[Prediction]]
    measures: Mapping[str, Measures]
    topics: ImageTopics
    shards: Path


def gallery(data: GalleryData, count: int) -> Gallery:
    """Choose at most `count` images evenly over the held-back ones; the cards are in the order of image_id."""
    shown = min(count, len(data.examples))
    return _gallery(data, [place * len(data.examples) // shown for place in range(shown)])


def extremes(data: GalleryData, variant: str, metric: str) -> list[Gallery]:
    """Return the images whose caption by a variant scores best, and worst; none twice, of equals the first."""
    scores = data.measures[variant].per_image[metric]
    order = [int(place) for place in np.argsort(-scores, kind="stable")]
    count = min(EXTREMES, len(order) // 2)
    found = {"Best": order[:count], "Worst": order[len(order) - count :][::-1]}
    return [_gallery(data, places, title, tools=False) for title, places in found.items() if places]


def _gallery(data: GalleryData, places: Sequence[int], title: str = "", *, tools: bool = True) -> Gallery:
    keys = _by_importance(next(iter(data.measures.values())).per_image)
    examples = [data.examples[place] for place in places]
    images = read_images([one.path for one in examples], data.shards, [one.sha256 for one in examples])
    cards = [_card(data, place, image, keys) for place, image in zip(places, images, strict=True)]
    named = sorted({topic for card in cards for topic, _ in card.topics})
    return Gallery(
        colours=colours(list(data.predictions)),
        metrics={key: label(key) for key in keys},
        cards=cards,
        topics={topic: data.topics.name(topic) for topic in named},
        title=title,
        tools=tools,
    )


def _card(data: GalleryData, place: int, image: bytes, keys: Sequence[str]) -> Card:
    example = data.examples[place]
    return Card(
        image_id=example.image_id,
        thumbnail=thumbnail(image),
        captions=[
            ScoredCaption(
                name, one.text, one.logprob, [float(data.measures[name].per_image[key][place]) for key in keys]
            )
            for name, some in data.predictions.items()
            for one in [some[place]]
        ],
        references=example.texts,
        labels=[text.rpartition(":")[2].replace("_", " ") for text in example.labels],
        topics=data.topics.strongest.get(example.image_id, ()),
    )


def _by_importance(keys: Iterable[str]) -> list[str]:
    """Return metrics with CIDEr-D first, by which most papers rank captioners."""
    return sorted(keys, key=lambda key: key != "cider_d")


def thumbnails(wanted: Collection[str], images: Path, shards: Path, side: int = SIDE) -> dict[str, str]:
    """Return thumbnails as data URIs by image id; parameters as in `thumbnail`.

    Parameters
    ----------
    wanted : collection of str
        Ids of images; those of which only text is at hand have no thumbnail.
    images, shards : Path
        The images table and its images.
    """
    stored: dict[str, tuple[str, str]] = {}
    for batch in tables.scan("images", images, ["image_id", "path", "sha256"]) if wanted else ():
        rows = zip(*(batch.column(name).to_pylist() for name in ("image_id", "path", "sha256")), strict=True)
        stored |= {image: (path, digest) for image, path, digest in rows if path and image in wanted}
    ordered = sorted(stored, key=stored.__getitem__)
    paths, hashes = ([stored[image][part] for image in ordered] for part in (0, 1))
    encoded = read_images(paths, shards, hashes)
    return {image: thumbnail(data, side) for image, data in zip(ordered, encoded, strict=True)}


def thumbnail(image: bytes, side: int = SIDE) -> str:
    """Shrink an encoded image into a JPEG data URI; `side` is its longer side in pixels, at most."""
    return "data:image/jpeg;base64," + base64.b64encode(decoding.thumbnail(image, side, _QUALITY)).decode()
