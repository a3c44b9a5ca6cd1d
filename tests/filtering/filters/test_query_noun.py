"""Texts without a frequent noun for a physical object are rejected."""

import pytest

from photocritic.core.errors import ParamsError
from tests.filtering.batches import batch, judge, make, reasons


def test_the_most_frequent_nouns_are_the_queries(tmp_path):
    texts = ["a dog", "two dogs play", "a cat", "cats sleep", "a red umbrella", "beautiful"]
    rejected = ["", "", "", "", "no_query_noun", "no_query_noun"]
    assert reasons("query_noun", texts, tmp_path, nouns=2) == rejected


def test_equally_frequent_nouns_go_by_the_alphabet(tmp_path):
    assert reasons("query_noun", ["a zebra", "an apple"], tmp_path, nouns=1) == ["no_query_noun", ""]


def test_what_every_comment_has_is_no_query(tmp_path):
    critique = ["great shot", "nice idea and color", "good composition", "the subject is lost", "lovely picture"] * 3
    seen = ["the dog is lost", "I like the clouds", "two umbrellas", "Red Umbrella", "a crowd of people"]
    found = reasons("query_noun", critique + seen, tmp_path, nouns=693)
    assert found == ["no_query_noun"] * len(critique) + [""] * len(seen)


def test_verbs_are_no_queries(tmp_path):
    texts = ["a sink", "I sink into it", "bears and a lamp", "it bears repeating"]
    assert reasons("query_noun", texts, tmp_path) == ["", "no_query_noun", "", "no_query_noun"]


def test_rejected_texts_do_not_decide_on_queries(tmp_path):
    one = batch(["a dog", "a dog", "a cat"])
    one.reasons = ["spam", "spam", ""]
    (judged,) = judge(make("query_noun", nouns=1), one, folder=tmp_path)
    assert judged.reasons == ["spam", "spam", ""]


def test_queries_may_be_given(tmp_path):
    (tmp_path / "nouns.txt").write_text("Umbrella\ncolour\n\n", encoding="utf-8")
    found = reasons("query_noun", ["umbrellas", "the color", "a dog"], tmp_path, file=str(tmp_path / "nouns.txt"))
    assert found == ["", "", "no_query_noun"]


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe"])
def test_a_list_that_cannot_be_used_is_told(tmp_path, content):
    path = tmp_path / "nouns.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ParamsError, match="query_noun"):
        make("query_noun", file=str(path))
