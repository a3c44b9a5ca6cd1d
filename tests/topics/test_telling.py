"""What new comments are about."""

import numpy as np

from photocritic.topics import TopicModel, tell

COUNTS = np.full((3, 6), 0.1)
COUNTS[np.arange(3).repeat(2), np.arange(6)] = 20.0
MODEL = TopicModel([f"w{n}" for n in range(6)], COUNTS, np.full(3, 0.2))


def test_the_likeliest_topics_come_first_with_their_terms() -> None:
    told = tell(MODEL, [["w2", "w3", "w3", "w0"], ["w4"]], top=2)
    assert [some[0]["topic"] for some in told] == [1, 2]
    assert [one["topic"] for one in told[0]] == [1, 0]
    assert told[0][0]["share"] > told[0][1]["share"]
    assert set(told[0][0]["terms"][:2]) == {"w2", "w3"}


def test_a_comment_is_told_alike_alone_and_among_others() -> None:
    comments = [["w0"], ["w2", "w5"], ["w1", "w1", "w4"]]
    assert tell(MODEL, comments, 3) == [tell(MODEL, [comment], 3)[0] for comment in comments]


def test_of_a_comment_without_any_known_term_nothing_is_told() -> None:
    assert tell(MODEL, [["unknown"], [], ["w0"]], 1)[:2] == [[], []]
    assert tell(MODEL, [], 1) == []
