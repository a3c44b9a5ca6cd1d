"""Texts with rare tokens are rejected."""

import pytest

from photocritic.core.errors import ParamsError
from tests.filtering.batches import batch, judge, make, reasons


def test_a_right_word_is_known_however_rare_it_is_in_the_corpus(tmp_path):
    texts = [
        "A heron wades through the sedge.",
        "Poppies by the snow-covered chapel in Tallinn.",
        "Selfies of Beyonce.",
    ]
    assert reasons("rare_tokens", texts, folder=tmp_path) == [""] * 3


def test_a_token_that_no_web_text_has_is_rejected_however_often_it_comes(tmp_path):
    texts = [*["A zyxxyz on the meadow."] * 9, "A dog on the zyxxyz-covered meadow."]
    assert reasons("rare_tokens", texts, folder=tmp_path) == ["rare_token"] * 10


def test_a_token_that_is_rarer_than_5_in_the_corpus_is_rejected(tmp_path):
    texts = [*["A dog on the meadow."] * 3, "A zyxxy on the meadow."]
    rule = make("rare_tokens", vocabulary="corpus")
    first, second = judge(rule, batch(texts), batch(texts[:2], start=4), folder=tmp_path)
    assert first.reasons == ["", "", "", "rare_token"]
    assert second.reasons == ["", ""]


def test_numbers_are_no_rare_tokens(tmp_path):
    texts = ["A dog on the meadow."] * 5 + ["A dog on the meadow in 1987, the 3rd of 12."]
    options = {"vocabulary": "corpus"}
    assert reasons("rare_tokens", texts, folder=tmp_path, **options)[5] == "rare_token"  # "in" and "of" are rare here
    (tmp_path / "again").mkdir()
    again = [*texts[:5], "A dog 1987 on the meadow."]
    assert reasons("rare_tokens", again, folder=tmp_path / "again", **options) == [""] * 6


def test_a_given_vocabulary_counts_instead_of_the_corpus(tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("a dog\nbarks\n", encoding="utf-8")
    texts = ["A dog barks.", "A cat barks."]
    assert reasons("rare_tokens", texts, folder=tmp_path, file=str(words)) == ["", "rare_token"]


def test_a_missing_vocabulary_is_named(tmp_path):
    with pytest.raises(ParamsError, match=r"rare_tokens\.file"):
        reasons("rare_tokens", ["A dog."], folder=tmp_path, file=str(tmp_path / "none.txt"))
