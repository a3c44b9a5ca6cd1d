"""A made corpus of any size: sentences of the bundled sample, with words of a large made vocabulary by Zipf's law."""

import csv
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from photocritic.sample.scene_plan import plan
from photocritic.sample.text.comments import comments

SCENES = 2_000  # of the sample, whose comments are the sentences; fewer for a small corpus
VOCABULARY = 200_000  # made words; fewer for a small corpus
EXPONENT = 1.05  # of Zipf's law
AUTHORS = 50_000
REPLACED = 0.12  # of the words of four letters or more are made ones
_BLOCK = 10_000  # comments that are drawn together
_SYLLABLES = [
    f"{one}{two}" for one in "bcdfghjklmnprstvwz" for two in ("a", "e", "i", "o", "u", "ar", "en", "il", "or")
]

Comment = tuple[str, str, str]  # image, author, text


def write(path: Path, count: int, images: int, seed: int = 7) -> None:
    """Write a CSV with the columns image, author and text; equal arguments give equal bytes."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("image", "author", "text"))
        writer.writerows(made(count, images, seed))


def made(count: int, images: int, seed: int) -> Iterator[Comment]:
    """Make comments; each image has as many as any other, one or so more or less."""
    sentences = _sentences(seed, min(SCENES, 20 + count // 10))
    words = _words(seed, min(VOCABULARY, 10 * count))
    rng = np.random.default_rng(seed)
    for start in range(0, count, _BLOCK):
        size = min(_BLOCK, count - start)
        picked = rng.integers(len(sentences), size=size)
        authors = (AUTHORS * rng.random(size) ** 2.2).astype(int)
        drawn = iter(_zipf(rng, 8 * size, len(words)).tolist())
        chances = iter(rng.random(60 * size).tolist())
        for row, sentence, author in zip(range(start, start + size), picked.tolist(), authors.tolist(), strict=True):
            text = " ".join(
                words[next(drawn, 0)] if len(word) > 3 and next(chances, 1.0) < REPLACED else word
                for word in sentences[sentence]
            )
            yield f"{row * images // count:07d}.jpg", f"user{author:05d}", text


def _sentences(seed: int, scenes: int) -> list[list[str]]:
    found = (one.text for index in range(scenes) for one in comments(plan(seed, index), "", seed, index))
    return [text.split() for text in dict.fromkeys(found)]


def _words(seed: int, count: int) -> list[str]:
    rng = random.Random(seed)
    made = ("".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4))) for _ in iter(int, 1))
    unique: dict[str, None] = {}
    while len(unique) < count:
        unique.update(dict.fromkeys(islice(made, count - len(unique))))
    return list(unique)


def _zipf(rng: np.random.Generator, size: int, words: int) -> np.ndarray:
    """Draw ranks below `words`."""
    shares = np.cumsum(np.arange(1, words + 1) ** -EXPONENT)
    return np.searchsorted(shares, rng.random(size) * shares[-1])
