"""A community whose comments are easy to tell apart: what is in the photograph, and praise."""

import csv
import random
from functools import lru_cache
from pathlib import Path

import pytest

from photocritic.config import LanguageParams
from photocritic.filtering.comment_batch import Annotator
from photocritic.filtering.critique.critique_model import load_critique_model
from photocritic.text import Tagged

THINGS = ["boat", "dog", "tree", "church", "bridge", "girl", "lamp", "apple"]
PLACES = [
    "in the corner",
    "behind the wall",
    "near the left edge",
    "in the background",
    "on the water",
    "by the window",
]
PRAISE = ["great", "nice", "lovely", "awesome", "beautiful", "wonderful", "cool"]
WORK = ["shot", "picture", "work", "photo", "idea", "job", "capture"]


def comment(rng: random.Random, informative: bool) -> str:
    if informative:
        return (
            f"the {rng.choice(THINGS)} {rng.choice(PLACES)} is too {rng.choice(['dark', 'bright', 'soft', 'blurry'])}"
        )
    return f"{rng.choice(PRAISE)} {rng.choice(WORK)} , i really like your {rng.choice(WORK)} a lot"


def community(images: int) -> list[tuple[str, str, bool]]:
    """Return comments as (image, text, whether it informs), four a photograph."""
    rng = random.Random(3)
    return [
        (f"i{image}", comment(rng, place % 2 == 0), place % 2 == 0) for image in range(images) for place in range(4)
    ]


def tag(texts: list[str]) -> list[Tagged]:
    return annotator().tag(texts)


@lru_cache(maxsize=1)
def annotator() -> Annotator:
    return Annotator(LanguageParams())


@pytest.fixture(scope="session")
def bundled():
    return load_critique_model()


@pytest.fixture
def judged_file(tmp_path: Path) -> Path:
    path = tmp_path / "judged.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["image", "text", "grade"])
        writer.writerows((image, text, 2 if informs else 1) for image, text, informs in community(30))
    return path
