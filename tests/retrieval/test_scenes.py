"""Scenes are found by what is in them, whichever side is asked."""

import numpy as np
import pytest

from photocritic.retrieval.alignment import ImageToText
from photocritic.retrieval.scenes import RETRIEVALS, SceneRetriever, Scenes, SceneSpace
from photocritic.retrieval.text import TextSpace

SUBJECTS = {"sea": "wave beach sand boat", "city": "street neon tower car", "portrait": "face eyes smile hair"}


def scenes(count: int, seed: int, prefix: str) -> tuple[Scenes, list[str]]:
    random = np.random.default_rng(seed)
    names = [list(SUBJECTS)[number % 3] for number in range(count)]
    captions = [["a", *map(str, random.choice(SUBJECTS[name].split(), 3))] for name in names]
    features = np.eye(3)[[list(SUBJECTS).index(name) for name in names]] @ np.ones((3, 1)) * 5  # a common part
    features = np.hstack([features, np.eye(3)[[list(SUBJECTS).index(name) for name in names]]])
    features += random.normal(scale=0.05, size=features.shape)
    return Scenes([f"{prefix}{n}" for n in range(count)], features, list(captions)), names


@pytest.mark.parametrize("way", RETRIEVALS)
def test_every_way_of_retrieval_finds_the_same_subject(way: str) -> None:
    known, subjects = scenes(60, 0, "k")
    queries, asked = scenes(12, 1, "q")
    retriever = SceneRetriever(SceneSpace(known), known)
    for answers, subject in zip(retriever.search(queries, 3)[way], asked, strict=True):  # type: ignore[index]
        assert {subjects[neighbour.row] for neighbour in answers} == {subject}
        assert all(answers[0].similarity >= neighbour.similarity > 0.3 for neighbour in answers)


def test_the_query_itself_is_no_answer() -> None:
    known, _ = scenes(30, 0, "k")
    for answers in SceneRetriever(SceneSpace(known), known).search(known, 5).values():
        for row, neighbours in enumerate(answers):
            assert row not in {neighbour.row for neighbour in neighbours}


def test_captions_about_the_same_are_near_and_unknown_ones_are_zero() -> None:
    captions = [words.split() for words in SUBJECTS.values() for _ in range(4)]
    space = TextSpace(captions, dimensions=3)
    sea, beach, city = space.embed([["wave", "boat"], ["sand", "beach"], ["neon", "car"]])
    assert sea @ beach > 0.9 * np.linalg.norm(sea) * np.linalg.norm(beach)
    assert abs(sea @ city) < 1e-9
    assert not space.embed([["nothing", "known"]]).any()


def test_large_corpora_take_the_truncated_decomposition_to_the_same_space() -> None:
    random = np.random.default_rng(0)
    captions = [[f"w{n}" for n in random.zipf(1.4, 12) if n < 90] for _ in range(300)]
    few, exact = TextSpace(captions, dimensions=5), TextSpace(captions, dimensions=500)
    np.testing.assert_allclose(few.embed(captions), exact.embed(captions)[:, :5], atol=1e-6)


def test_alignment_recovers_a_linear_map_and_shrinks_noise() -> None:
    random = np.random.default_rng(0)
    images, weights = random.normal(size=(200, 10)), random.normal(size=(10, 4))
    clean = ImageToText(images, images @ weights + 3.0)
    np.testing.assert_allclose(clean.embed(images), clean.centre(images @ weights + 3.0), atol=0.05)
    noise = ImageToText(images, random.normal(size=(200, 4)))
    assert np.abs(noise.embed(images)).mean() < 0.2
