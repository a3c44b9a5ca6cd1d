"""One topic an image, by the rule of AIC's authors, and what new comments are about."""

import numpy as np
import pytest
from scipy import sparse

from photocritic.topics import TopicModel, likeliest_topics
from photocritic.topics.topic_labels import CANDIDATES, TERMS, top_topic, usable

WIDTH = 40  # terms that belong to one topic
DISTINCT = np.full((3, 6), 0.1)
DISTINCT[np.arange(3).repeat(2), np.arange(6)] = 20.0
THREE_TOPICS = TopicModel([f"w{n}" for n in range(6)], DISTINCT, np.full(3, 0.2))


def model(topics: int, vague: tuple[int, ...] = (), firmest: int | None = None) -> TopicModel:
    """Return topics of terms of their own, the first of which is likely but in vague ones, and likeliest in one."""
    counts = np.full((topics, topics * WIDTH), 1e-3)
    for topic in range(topics):
        counts[topic, topic * WIDTH : (topic + 1) * WIDTH] = np.linspace(2.0, 1.0, WIDTH)
        if topic not in vague:
            counts[topic, topic * WIDTH] = 90.0 if topic == firmest else 50.0
    return TopicModel([f"w{n}" for n in range(topics * WIDTH)], counts, np.full(topics, 0.1))


def document(found: TopicModel, *columns: int) -> sparse.csr_array:
    row = np.zeros((1, len(found.vocabulary)), dtype=np.int64)
    row[0, list(columns)] = 1
    return sparse.csr_array(row)


def pick(found: TopicModel, counts: sparse.csr_array, *shares: float) -> int | None:
    labels, labelled = top_topic(found, counts, np.array([shares]))
    assert labels.sum() == labelled.sum()
    return int(labels.argmax()) if labelled[0] else None


def test_the_topic_that_shares_most_first_terms_wins_over_the_likeliest() -> None:
    found = model(3)
    assert pick(found, document(found, 0, WIDTH, WIDTH + 1), 0.6, 0.3, 0.1) == 1


def test_terms_beyond_the_first_ones_do_not_count() -> None:
    found = model(3)
    late = [WIDTH + TERMS + n for n in range(5)]
    assert pick(found, document(found, 0, *late), 0.6, 0.3, 0.1) == 0


def test_a_term_counts_once_however_often_it_stands() -> None:
    found = model(2)
    counts = document(found, 0, WIDTH, WIDTH + 1)
    counts.data[counts.indices == 0] = 9
    assert pick(found, counts, 0.9, 0.1) == 1


def test_of_equals_that_whose_first_term_is_likelier() -> None:
    found = model(3, firmest=0)
    assert pick(found, document(found, 0, WIDTH), 0.2, 0.5, 0.3) == 0
    assert pick(found, document(found, 0, WIDTH, WIDTH + 1), 0.2, 0.5, 0.3) == 1


def test_of_equals_with_equal_first_terms_the_likelier() -> None:
    found = model(3)
    assert pick(found, document(found, 0, WIDTH), 0.2, 0.5, 0.3) == 1


def test_an_image_whose_topic_is_vague_gets_no_other() -> None:
    found = model(3, vague=(1,))
    assert usable(found).tolist() == [True, False, True]
    about_the_vague_one = document(found, WIDTH, WIDTH + 1, 2 * WIDTH)
    assert pick(found, about_the_vague_one, 0.1, 0.7, 0.2) is None
    assert pick(found, about_the_vague_one, 0.1, 0.2, 0.7) is None
    assert pick(found, document(found, WIDTH, 2 * WIDTH), 0.1, 0.7, 0.2) == 2


@pytest.mark.parametrize("rank", [CANDIDATES - 1, CANDIDATES])
def test_only_the_likeliest_are_candidates(rank: int) -> None:
    topics = CANDIDATES + 2
    found = model(topics)
    shares = np.linspace(2, 1, topics) / np.linspace(2, 1, topics).sum()
    picked = pick(found, document(found, rank * WIDTH, rank * WIDTH + 1), *shares)
    assert picked == (rank if rank < CANDIDATES else 0)


def test_the_likeliest_topics_come_first_with_their_terms() -> None:
    found = likeliest_topics(THREE_TOPICS, [["w2", "w3", "w3", "w0"], ["w4"]], top=2)
    assert [some[0]["topic"] for some in found] == [1, 2]
    assert [one["topic"] for one in found[0]] == [1, 0]
    assert found[0][0]["share"] > found[0][1]["share"]
    assert set(found[0][0]["terms"][:2]) == {"w2", "w3"}


def test_a_comment_has_the_same_topics_alone_and_among_others() -> None:
    comments = [["w0"], ["w2", "w5"], ["w1", "w1", "w4"]]
    alone = [likeliest_topics(THREE_TOPICS, [comment], 3)[0] for comment in comments]
    assert likeliest_topics(THREE_TOPICS, comments, 3) == alone


def test_a_comment_without_any_known_term_has_no_topics() -> None:
    assert likeliest_topics(THREE_TOPICS, [["unknown"], [], ["w0"]], 1)[:2] == [[], []]
    assert likeliest_topics(THREE_TOPICS, [], 1) == []
