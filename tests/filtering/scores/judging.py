"""Comments to score, and how they are scored in tests."""

from pathlib import Path
from typing import Any

from photocritic.config import FilterParams
from photocritic.filtering.filter_interface import NoOptions, Verdicts
from photocritic.filtering.filters.score import Score
from tests.filtering.batches import batch, judge

TELLING = [
    "The horizon is tilted and the boat on the left is too dark.",
    "I like how the shadow of the tree falls on the red wall.",
    "crop the right side, the hand of the man is distracting",
    "The snow in the foreground is blown out.",
]
PRAISE = [
    "Wow, great shot!",
    "I really like this, good luck in the challenge.",
    "Very nice photo, well done and congratulations.",
    "Awesome work, one of my favorites.",
]


def judged(folder: Path, texts: list[str], **params: Any) -> Verdicts:
    """Judge comments, each under a photograph of its own, by a score."""
    rule = Score(NoOptions(), FilterParams(**params))
    (found,) = judge(rule, batch(texts, images=[f"i{place}" for place in range(len(texts))]), folder=folder)
    return found
