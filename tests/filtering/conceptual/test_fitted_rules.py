"""CC's filters that must know the corpus first: rare tokens and rare entity types."""

import pytest

from photocritic.core.errors import ParamsError
from tests.filtering.batches import batch, judge, make, reasons


def test_a_token_that_is_rarer_than_5_is_rejected(tmp_path):
    texts = [*["A dog on the meadow."] * 3, "A zyxxy on the meadow."]
    first, second = judge(make("rare_tokens"), batch(texts), batch(texts[:2], start=4), folder=tmp_path)
    assert first.reasons == ["", "", "", "rare_token"]
    assert second.reasons == ["", ""]


def test_numbers_are_no_rare_tokens(tmp_path):
    texts = ["A dog on the meadow."] * 5 + ["A dog on the meadow in 1987, the 3rd of 12."]
    assert reasons("rare_tokens", texts, folder=tmp_path)[5] == "rare_token"  # "in" and "of" are rare here
    (tmp_path / "again").mkdir()
    assert reasons("rare_tokens", [*texts[:5], "A dog 1987 on the meadow."], folder=tmp_path / "again") == [""] * 6


def test_a_given_vocabulary_counts_instead_of_the_corpus(tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("a dog\nbarks\n", encoding="utf-8")
    texts = ["A dog barks.", "A cat barks."]
    assert reasons("rare_tokens", texts, folder=tmp_path, file=str(words)) == ["", "rare_token"]


def test_a_missing_vocabulary_is_named(tmp_path):
    with pytest.raises(ParamsError, match=r"rare_tokens\.file"):
        reasons("rare_tokens", ["A dog."], folder=tmp_path, file=str(tmp_path / "none.txt"))


def _with_types(entities, start=0, rejected=()):
    made = batch(["A text."] * len(entities), start=start)
    made.entities = entities
    made.reasons = ["before" if row in rejected else "" for row in range(len(entities))]
    return made


def test_all_types_of_a_text_must_be_frequent(tmp_path):
    one = _with_types([["actor"], ["actor", "dog"], []])
    two = _with_types([["actor", "actor"], ["dog", "zebra"]], start=3)
    judged = judge(make("entity_types", min_count=2), one, two, folder=tmp_path)
    assert [each.reasons for each in judged] == [["", "", ""], ["", "rare_entity_type"]]


def test_rejected_texts_and_repetitions_within_a_text_do_not_count(tmp_path):
    one = _with_types([["dog", "dog"], ["dog"], ["cat"]], rejected=[1])
    (judged,) = judge(make("entity_types", min_count=2), one, folder=tmp_path)
    assert judged.reasons == ["rare_entity_type", "before", "rare_entity_type"]
