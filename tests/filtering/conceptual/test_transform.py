"""The steps of CC's text transformation, each by itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from photocritic.core.errors import ParamsError
from photocritic.filtering.hypernyms import Knowledge, prepared
from photocritic.filtering.hypernyms.dates import without_dates
from photocritic.filtering.hypernyms.plural import plural
from photocritic.filtering.hypernyms.titles import without_titles


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
    assert len(prepared(text)) <= len(text) + 1


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


def test_names_are_compared_without_case_and_punctuation(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text('name,hypernym,id\n"Franklin, Tennessee",City,Q1\nFranklin Tennessee,town,Q2\n,x,Q3\n', "utf-8")
    knowledge = Knowledge(path)
    assert knowledge.hypernym("franklin , TENNESSEE") == "city"
    assert not knowledge.hypernym("Franklin")
    assert not Knowledge(None).hypernym("Franklin")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.csv", None, "no file"),
        ("names.csv", "label,type\na,b\n", "columns 'name' and 'hypernym'"),
        ("names.db", "no database", "neither"),
    ],
)
def test_an_unusable_knowledge_base_is_refused(tmp_path, name, content, message):
    path = tmp_path / name
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(ParamsError, match=message):
        Knowledge(path)
