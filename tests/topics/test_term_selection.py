"""Which terms are chosen: for topics, and to describe an image by."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from photocritic.topics.document_terms import Documents
from photocritic.topics.term_selection import content_words, is_content, topic_terms


def bags(rows: list[dict[str, int]]) -> Documents:
    terms = sorted({term for row in rows for term in row})
    counts = np.array([[row.get(term, 0) for term in terms] for row in rows]).reshape(len(rows), len(terms))
    return Documents([f"i{n}" for n in range(len(rows))], terms, sparse.csr_array(counts))


def test_a_term_in_too_many_or_too_few_documents_is_left_out() -> None:
    documents = bags([{"shot": 1, "sky": 3}, {"shot": 1, "sky": 1}, {"shot": 1, "tree": 2}, {"shot": 1}])
    assert topic_terms(documents, 10, 2, 0.9) == ["sky"]
    assert topic_terms(documents, 10, 2, 1.0) == ["shot", "sky"]


def test_the_share_of_comments_decides_where_it_is_known() -> None:
    documents = bags([{"dog": 1, "shot": 3}, {"dog": 1, "shot": 2}, {"tree": 1}])
    assert topic_terms(documents, 10, 1, 0.5) == ["tree"]
    assert topic_terms(documents, 10, 1, 0.5, np.array([0.2, 0.5, 0.1])) == ["dog", "tree"]


def test_the_most_frequent_terms_come_first() -> None:
    assert topic_terms(bags([{"a": 1, "b": 5, "c": 2}]), 2, 1, 1.0) == ["b", "c"]


def test_content_words_prefer_what_splits_the_documents() -> None:
    documents = bags([{"dog": 1, "photo": 1}] * 3 + [{"photo": 1}] * 3 + [{"rare": 1}])
    assert content_words(documents, 2, 1) == ["dog", "photo"]


@pytest.mark.parametrize(("word", "says"), [("dog", True), ("the", False), ("xx", False), ("35mm", False)])
def test_letters_that_are_no_stop_word_may_say_something(word: str, says: bool) -> None:
    assert is_content(word, {"the"}) == says


@settings(deadline=None)
@given(st.lists(st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.integers(1, 4)), max_size=8))
def test_vocabulary_keeps_its_bounds(rows: list[dict[str, int]]) -> None:
    documents = bags(rows)
    terms = topic_terms(documents, 3, 2, 0.8)
    assert len(terms) <= 3
    for term in terms:
        holding = sum(term in row for row in rows)
        assert 2 <= holding < 0.8 * len(rows)
