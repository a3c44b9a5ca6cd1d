"""Photographs with their captions, as the page takes them: one block of data, drawn when looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class ScoredCaption:
    """A variant's caption of an image, and its scores in the order of the gallery's metrics."""

    variant: str
    text: str
    logprob: float
    scores: Sequence[float]


@dataclass(frozen=True)
class Card:
    """An image with its captions and references.

    Attributes
    ----------
    image_id : str
        As in the images table.
    thumbnail : str
        A data URI.
    captions : sequence of ScoredCaption
        One a variant, in the order of the gallery's colours.
    references, labels : sequence of str
        What people wrote, and the labels of the corpus itself.
    topics : sequence of (int, float)
        The strongest topics with their shares, the strongest first.
    """

    image_id: str
    thumbnail: str
    captions: Sequence[ScoredCaption]
    references: Sequence[str]
    labels: Sequence[str] = ()
    topics: Sequence[tuple[int, float]] = ()


@dataclass(frozen=True)
class Gallery:
    """Images with captions.

    Attributes
    ----------
    colours : dict of str to str
        Each variant's colour.
    metrics : dict of str to str
        What the scores of the captions are called, by key; the first is shown beside each caption at first.
    cards : sequence of Card
        The images.
    topics : mapping of int to str
        The first terms of each topic that a card names.
    title : str
        Stands above the cards.
    tools : bool
        Whether the cards can be searched, chosen by topic and sorted.
    """

    kind: ClassVar[str] = "gallery"
    colours: Mapping[str, str]
    metrics: Mapping[str, str]
    cards: Sequence[Card]
    topics: Mapping[int, str] = field(default_factory=dict)
    title: str = ""
    tools: bool = True

    @property
    def data(self) -> dict[str, Any]:
        """Everything that the page's script draws, in lists, which are shorter than names repeated a thousand times."""
        return {
            "variants": list(self.colours.items()),
            "metrics": list(self.metrics.values()),
            "topics": list(self.topics.items()),
            "cards": [
                {
                    "id": card.image_id,
                    "image": card.thumbnail,
                    "spoken": [
                        [one.text, round(one.logprob, 1), [round(score, 3) for score in one.scores]]
                        for one in card.captions
                    ],
                    "references": list(card.references),
                    "labels": list(card.labels),
                    "topics": [[topic, round(share, 2)] for topic, share in card.topics],
                }
                for card in self.cards
            ],
        }
