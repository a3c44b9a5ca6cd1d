"""Dates, durations and quoted titles are taken out of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.filtering.hypernyms import without_dates_and_titles
from photocritic.filtering.hypernyms.dates_and_titles import without_dates, without_titles


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("The hotel November 7, 2005 in Balakot", "The hotel in Balakot"),
        ("A march on 3rd of May 2015.", "A march."),
        ("A march on Sunday, February 28, 2016", "A march"),
        ("A man waits at 5:30 pm by the door", "A man waits by the door"),
        ("A man waits for three hours at the door", "A man waits at the door"),
        ("A ruin (1967) by the sea", "A ruin by the sea"),
        ("A street in the late 1950s", "A street"),
        ("A street in 1950.", "A street."),
        ("Fans at the 2017 Pilgrimage Festival", "Fans at the 2017 Pilgrimage Festival"),
        ("A house built two years ago in the woods", "A house built in the woods"),
        ("Rain falls in May", "Rain falls"),
        ("A soldier may march down the street", "A soldier may march down the street"),
        ("A 20-year-old man", "A 20-year-old man"),
        ("A herd of 2000 sheep", "A herd of 2000 sheep"),
        ("Skiing in winter 2010/11 in the Alps", "Skiing in the Alps"),
    ],
)
def test_dates_and_durations_go_with_their_prepositions(text, rest):
    assert without_dates(text) == rest


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (
            "They attend the premiere of 'Hollywood Homicide' at the festival",
            "They attend the premiere at the festival",
        ),
        ('The cast of "Some Film" on the carpet.', "The cast on the carpet."),
        ("A dog's ball and a cats' basket", "A dog's ball and a cats' basket"),
        ('A biker "pops a wheelie" in a field', "A biker pops a wheelie in a field"),
        ('"Some Film" at the cinema', "Some Film at the cinema"),
        ('A shirt that says "Peace" on a line', "A shirt that says Peace on a line"),
    ],
)
def test_quoted_titles_go(text, rest):
    assert without_titles(text) == rest


@given(st.text(max_size=80))
def test_preparation_never_fails_and_never_lengthens(text):
    assert len(without_dates_and_titles(text)) <= len(text) + 1
