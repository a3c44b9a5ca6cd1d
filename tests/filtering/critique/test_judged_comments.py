"""Files of judged comments, good and bad."""

import pytest

from photocritic.core.errors import CorpusError
from photocritic.filtering.critique.judged_comments import read_judged


def read(tmp_path, content, name="judged.csv"):
    (tmp_path / name).write_text(content)
    return read_judged(tmp_path / name)


def test_grades_of_several_judges_have_their_mean(tmp_path):
    found = read(tmp_path, "image,text,grade_a,grade_b\na,one,1,2\na,two,3,3\nb,three,0,\nb,four,2,2\n")
    assert found.texts == ["one", "two", "three", "four"]
    assert found.worth.tolist() == [0.5, 1.0, 0.0, 0.9]
    assert found.images == ["a", "a", "b", "b"]


def test_several_rows_of_a_comment_have_their_mean(tmp_path):
    found = read(tmp_path, "image,text,rater,keep\na,one,x,1\na,one,y,0\nb,one,x,0\na,two,x,1\n")
    assert found.worth.tolist() == [0.5, 0.0, 1.0]
    assert found.informative.tolist() == [False, False, True]  # of two minds is not informative


def test_comments_without_a_photograph_are_of_different_ones(tmp_path):
    found = read(tmp_path, '{"text": "a", "keep": 1}\n{"text": "b", "keep": 0}\n', "judged.jsonl")
    assert len(set(found.images)) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("image,text\na,one\n", "no column of judgements; it is named grade"),
        ("image,grade\na,1\n", "text"),
        ("text,grade\none,2\ntwo,4\n", "line 3: grade is '4'; write a number from 0 to 3"),
        ("text,keep\none,yes\n", "line 2: keep is 'yes'; write a number from 0 to 1"),
        ("text,grade\none,nan\n", "line 2: grade is 'nan'"),
        ("text,grade\none,\n", "line 2: there is no judgement"),
        ("text,grade\n ,2\n", "line 2: there is no text"),
        ("text,grade\none,2,3\n", "line 2: malformed row"),
        ("text,grade\none,2\ntwo,3\n", "all are judged alike"),
        ("comment_id,image,text,rater,grade\n", "has no judged comments"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(tmp_path, content, message):
    with pytest.raises(CorpusError, match=message):
        read(tmp_path, content)
