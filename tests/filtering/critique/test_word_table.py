"""What the words of a community are like, learned from its comments alone."""

import numpy as np
import pytest

from photocritic.filtering.critique.word_table import hashed, train_word_table
from tests.filtering.critique.conftest import THINGS, WORK, community, tag


@pytest.fixture(scope="module")
def learned():
    comments = community(300)
    return train_word_table(tag([text for _, text, _ in comments]), [image for image, _, _ in comments], 7)


def test_words_are_found_by_their_lemmas_and_no_text_is_kept(learned):
    assert learned.row("boat") >= 0
    assert learned.keys[learned.row("boat")] == hashed("boat")
    assert learned.row("xylophone") == -1
    assert all(values.dtype != object for values in vars(learned).values() if isinstance(values, np.ndarray))


def test_things_are_nearer_to_what_is_seen_than_praise_is(learned):
    things, work = (np.mean([learned.affinity[learned.row(word)] for word in words]) for words in (THINGS, WORK))
    assert things > work + 0.1


def test_a_word_that_comes_again_under_one_photograph_gains():
    texts = [f"the {thing} again and the {thing} is here" for thing in THINGS for _ in range(5)]
    images = [thing for thing in THINGS for _ in range(5)]
    table = train_word_table(tag(texts), images, 7)
    gains = {word: table.gains[table.row(word)] for word in ("boat", "lamp", "again", "the")}
    assert min(gains["boat"], gains["lamp"]) > max(gains["again"], gains["the"]) + 0.5


def test_a_word_of_a_lonely_comment_gains_as_the_average_does():
    texts = ["a boat and a dog", "a boat and a dog", "a lamp and a dog"] * 3
    table = train_word_table(tag(texts), [f"i{place}" for place in range(len(texts))], 7)
    assert np.isfinite(table.gains).all()
    assert np.ptp(table.gains) == 0


def test_rarity_is_the_logarithm_of_the_share_of_comments():
    texts = ["a dog runs", "a dog sits", "a boat", "a boat and a dog", "a boat"] * 4
    table = train_word_table(tag(texts), [str(place // 2) for place in range(20)], 7)
    assert table.rarity[table.row("dog")] == pytest.approx(np.log(20 / 13))
    assert table.of_row(-1)[0] == pytest.approx(np.log(20 / 2))


def test_the_same_comments_give_the_same_table(learned):
    comments = community(300)
    again = train_word_table(tag([text for _, text, _ in comments]), [image for image, _, _ in comments], 7)
    assert np.array_equal(again.vectors, learned.vectors)
    assert np.array_equal(again.gains, learned.gains)
