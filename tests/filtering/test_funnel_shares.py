"""Shares that each step of Conceptual Captions discards, beside the paper's."""

import pytest

from photocritic.filtering import filter_interface
from photocritic.filtering.funnel_shares import CC_STEPS, funnel_shares


def _funnel(*steps):
    left, rows = 1000, [{"filter": "read", "rejected": 0, "left": 1000}]
    for name, rejected in steps:
        left -= rejected
        rows.append({"filter": name, "rejected": rejected, "left": left})
    return rows


def test_filters_of_a_step_count_together():
    funnel = _funnel(
        ("jpeg_only", 100), ("image_size", 300), ("clean", 0), ("well_formed", 240), ("rare_tokens", 60),
        ("image_text", 100), ("hypernyms", 40), ("entity_types", 80),
    )  # fmt: skip
    rows = funnel_shares(funnel)
    assert [row["step"] for row in rows] == [step.name for step in CC_STEPS]
    assert [row["entered"] for row in rows] == [1000, 600, 300, 200, 160]
    assert [row["share"] for row in rows] == pytest.approx([0.4, 0.5, 1 / 3, 0.2, 0.5])
    assert [row["paper"] for row in rows] == [0.65, 0.97, 0.6, 0.2, 0.45]


def test_steps_without_a_filter_are_left_out_and_an_empty_step_discards_nothing():
    rows = funnel_shares(_funnel(("clean", 1000), ("image_text", 0)))
    assert [(row["step"], row["entered"], row["share"]) for row in rows] == [
        ("text-based filtering", 1000, 1.0),
        ("image-text-based filtering", 0, 0.0),
    ]


def test_other_chains_have_no_such_table():
    assert funnel_shares(_funnel(("clean", 0), ("length", 10), ("score", 100))) == []


def test_every_filter_of_the_paper_is_of_one_step():
    papers = {name for name in filter_interface.available() if filter_interface.find(name).paper.startswith("CC")}
    steps = [name for step in CC_STEPS for name in step.filters]
    assert papers <= set(steps) <= set(filter_interface.available())
    assert len(steps) == len(set(steps))
