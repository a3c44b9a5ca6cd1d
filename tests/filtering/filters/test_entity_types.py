"""Texts with rare entity types are rejected."""

import pytest

from photocritic.config import FilterParams
from photocritic.core.errors import ParamsError
from photocritic.filtering import filter_interface
from tests.filtering.batches import batch, judge, make


def _with_types(entities, start=0, rejected=()):
    made = batch(["A text."] * len(entities), start=start)
    made.columns["entities"] = entities
    made.reasons = ["before" if row in rejected else "" for row in range(len(entities))]
    return made


def test_all_types_of_a_text_must_be_frequent(tmp_path):
    one = _with_types([["actor"], ["actor", "dog"], []])
    two = _with_types([["actor", "actor"], ["dog", "zebra"]], start=3)
    judged = judge(make("entity_types", more_than=1), one, two, folder=tmp_path)
    assert [each.reasons for each in judged] == [["", "", ""], ["", "rare_entity_type"]]


def test_rejected_texts_and_repetitions_within_a_text_do_not_count(tmp_path):
    one = _with_types([["dog", "dog"], ["dog"], ["cat"]], rejected=[1])
    (judged,) = judge(make("entity_types", more_than=1), one, folder=tmp_path)
    assert judged.reasons == ["rare_entity_type", "before", "rare_entity_type"]


def test_a_count_of_100_is_rare_and_one_of_101_is_not(tmp_path):
    one = _with_types([*[["actor"]] * 100, *[["dog"]] * 101])
    (judged,) = judge(make("entity_types"), one, folder=tmp_path)
    assert judged.reasons == ["rare_entity_type"] * 100 + [""] * 101


def test_the_filter_that_finds_the_types_must_come_before():
    with pytest.raises(ParamsError, match=r"filter\.chain\[1\]\.entity_types.*entities.*\(hypernyms\)"):
        filter_interface.chain(FilterParams(chain=["clean", "entity_types", "hypernyms"]))
