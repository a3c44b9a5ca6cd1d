"""Rows that are judged: a comment each, or a sentence each."""

import pyarrow as pa

from photocritic.filtering import comment_sentences
from photocritic.filtering.comment_sentences import split_comments
from tests.filtering.batches import ANNOTATOR, batch

TEXTS = ["Nice shot! I love the light.", "  one boat ", "So soft. So sad.", "A. B! C? D"]


def comments(texts=TEXTS, styles=None) -> pa.Table:
    return batch(texts, styles=styles).rows.drop_columns("sentence")


def split(rows, unit="sentence"):
    found = split_comments(rows, unit, ANNOTATOR.tag)
    assert found.schema.names == [*rows.schema.names, "sentence"]
    return [(row["comment_id"], row["sentence"], row["text"]) for row in found.to_pylist()]


def test_a_row_a_comment():
    assert split(comments(), "comment") == [(f"c{place}", 0, text) for place, text in enumerate(TEXTS)]


def test_a_row_a_sentence():
    assert split(comments(TEXTS[:3])) == [
        ("c0", 0, "Nice shot!"),
        ("c0", 1, "I love the light."),
        ("c1", 0, "  one boat "),
        ("c2", 0, "So soft."),
        ("c2", 1, "So sad."),
    ]


def test_a_stylised_caption_stays_whole():
    assert split(comments(TEXTS[:1], styles=["romantic"])) == [("c0", 0, TEXTS[0])]


def test_no_comment_has_more_rows_than_memory_allows(monkeypatch):
    monkeypatch.setattr(comment_sentences, "_MOST", 2)
    assert split(comments(["One dog. Two dogs. Three dogs."])) == [
        ("c0", 0, "One dog."),
        ("c0", 1, "Two dogs. Three dogs."),
    ]


def test_a_sentence_knows_its_comment():
    one = batch(["a", "b", "c", "d"], sentences=[0, 1, 0, 0])
    assert one.comments.tolist() == [0, 0, 2, 3]
    assert batch(["a", "b"]).comments.tolist() == [0, 1]
