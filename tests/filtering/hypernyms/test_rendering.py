"""Plurals of merged hypernyms."""

import pytest

from photocritic.filtering.hypernyms.rendering import plural


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("actor", "actors"), ("person", "people"), ("pop artist", "pop artists"), ("actress", "actresses"),
        ("city", "cities"), ("boy", "boys"), ("businesswoman", "businesswomen"), ("human", "humans"),
        ("head of state", "heads of state"), ("aircraft", "aircraft"), ("church", "churches"),
    ],
)  # fmt: skip
def test_plurals(one, many):
    assert plural(one) == many
