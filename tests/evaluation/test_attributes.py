"""Precision and recall of single attributes."""

from photocritic.evaluation.attributes import tally
from photocritic.evaluation.evaluation_set import EvaluationExample
from photocritic.evaluation.predictions import Prediction
from photocritic.report.attribute_tables import attributes_section

TRUE = [("light:soft", "color:warm"), ("light:low_key", "color:warm"), ("light:soft", "color:cool")]
SAID = ["light:soft color:warm", "light:soft", "color:warm"]


def examples():
    return [EvaluationExample(f"i{n}", "", labels, ("x",), (("x",),), ("s",)) for n, labels in enumerate(TRUE)]


def counted(said):
    return tally(examples(), [Prediction(text, (), 0.0) for text in said], lambda text: set(text.split()))


def test_attributes_are_counted_one_by_one_and_by_group():
    found = counted(SAID)
    assert (found.precision("light:soft"), found.recall("light:soft")) == (1 / 2, 1 / 2)
    assert (found.precision("color:warm"), found.recall("color:warm")) == (1 / 2, 1 / 2)
    assert (found.precision("light:low_key"), found.recall("light:low_key")) == (None, 0.0)
    grouped = found.grouped()
    assert (grouped.precision("light"), grouped.recall("light")) == (1 / 2, 1 / 3)
    assert found.summary() == {"attribute_precision": 2 / 4, "attribute_recall": 2 / 6}


def test_the_tables_show_what_was_counted_of_every_variant():
    section = attributes_section({"ns": counted(["", "", "focus:sharp"]), "cws": counted(SAID)})
    groups, each = section.blocks
    rows = {row.name: [(cell.text, cell.note, cell.best) for cell in row.cells] for row in groups.rows}
    assert list(rows) == ["light", "color", "focus", "all"]
    light = [("3", "", False), ("–", "of 0", False), ("0%", "", False), ("50%", "of 2", False), ("33%", "", True)]
    assert rows["light"] == light
    assert rows["focus"][:3] == [("0", "", False), ("0%", "of 1", False), ("–", "", False)]
    assert each.folded
    names = ["light: soft", "light: low key", "color: warm", "color: cool", "focus: sharp"]
    assert [row.name for row in each.rows] == names


def test_captions_that_mention_nothing_are_not_right_at_all():
    assert counted(["", "", ""]).summary() == {"attribute_precision": 0.0, "attribute_recall": 0.0}
