"""The knowledge base: how names are compared, and files that cannot be used."""

import pytest

from photocritic.core.errors import ParamsError
from photocritic.filtering.hypernyms import Knowledge
from photocritic.filtering.hypernyms.common_names import COMMON_NAMES
from photocritic.filtering.hypernyms.knowledge import LONGEST, key


def test_names_are_compared_without_case_and_punctuation(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text('name,hypernym,id\n"Franklin, Tennessee",City,Q1\nFranklin Tennessee,town,Q2\n,x,Q3\n', "utf-8")
    knowledge = Knowledge(path)
    assert knowledge.hypernym("franklin , TENNESSEE") == "city"
    assert not knowledge.hypernym("Franklin")
    assert not Knowledge(None).hypernym("Franklin")


def test_the_bundled_names_are_looked_up_alike():
    bundled = Knowledge.of("bundled")
    names = ("Paris", "paris", "Kenya", "U.S.A.", "New Mexico", "barack obama", "Bosnia and Herzegovina")
    found = [bundled.hypernym(name) for name in names]
    assert found == ["city", "city", "country", "country", "us state", "politician", "country"]
    assert not Knowledge.of("").hypernym("Paris")


def test_a_bundled_name_has_one_hypernym_and_can_be_found():
    keys = [key(name) for names in COMMON_NAMES.values() for name in names.split(",")]
    assert len(keys) == len(set(keys))
    assert all(keys)
    assert max(len(one.split()) for one in keys) <= LONGEST
    assert all(hypernym == hypernym.lower().strip() for hypernym in COMMON_NAMES)


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
