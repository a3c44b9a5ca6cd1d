"""Scenes are found by what is in them, whichever side is asked."""

import numpy as np
import pytest

from photocritic.retrieval.retriever import Scenes, make
from photocritic.retrieval.retrievers.multimodal import MultimodalRetriever

SUBJECTS = {"sea": "wave beach sand boat", "city": "street neon tower car", "portrait": "face eyes smile hair"}


def scenes(count: int, seed: int, prefix: str) -> tuple[Scenes, list[str]]:
    random = np.random.default_rng(seed)
    names = [list(SUBJECTS)[number % 3] for number in range(count)]
    captions = [["a", *map(str, random.choice(SUBJECTS[name].split(), 3))] for name in names]
    features = np.eye(3)[[list(SUBJECTS).index(name) for name in names]] @ np.ones((3, 1)) * 5  # a common part
    features = np.hstack([features, np.eye(3)[[list(SUBJECTS).index(name) for name in names]]])
    features += random.normal(scale=0.05, size=features.shape)
    return Scenes([f"{prefix}{n}" for n in range(count)], features, list(captions)), names


def retriever(known: Scenes) -> MultimodalRetriever:
    made = make("multimodal")
    made.fit(known)
    made.index(known)
    return made


@pytest.mark.parametrize("way", MultimodalRetriever.ways)
def test_every_way_of_retrieval_finds_the_same_subject(way: str) -> None:
    known, subjects = scenes(60, 0, "k")
    queries, asked = scenes(12, 1, "q")
    for answers, subject in zip(retriever(known).retrieve(queries, 3)[way], asked, strict=True):
        assert {subjects[neighbour.row] for neighbour in answers} == {subject}
        assert all(answers[0].similarity >= neighbour.similarity > 0.3 for neighbour in answers)


def test_the_query_itself_is_no_answer() -> None:
    known, _ = scenes(30, 0, "k")
    for answers in retriever(known).retrieve(known, 5).values():
        for row, neighbours in enumerate(answers):
            assert row not in {neighbour.row for neighbour in neighbours}
