"""What metrics say of themselves is what tables, figures and the champion rule go by."""

from pathlib import Path

import pytest

from photocritic import config
from photocritic.core.errors import ParamsError
from photocritic.metrics import choose, diversity, kind, names
from photocritic.metrics.columns import best, column, goodness, headline, label

MINE = '''
"""A metric of the project."""

from photocritic.metrics import Column, Metric, Scores


class Errors(Metric):
    label = "errors"
    place = 2.5
    columns = {
        "errors": Column("errors", "wrong words", better="lower", form=".0f"),
        "length": Column("length", better="neither"),
        "doubts": Column("doubts", headline=False),
    }

    def _score(self, candidates, references): ...
'''


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Stand in a project that has a metric of its own."""
    monkeypatch.chdir(tmp_path)
    path = Path("plugins/metrics/errors.py")
    path.parent.mkdir(parents=True)
    path.write_text(MINE.lstrip())


def test_headlines_are_the_columns_of_aic_table_1_and_plain_cider():
    bleu = ["bleu_1", "bleu_2", "bleu_3", "bleu_4"]
    assert headline() == [*bleu, "meteor", "rouge_l", "cider", "cider_d", "spice", "spice_1"]
    assert [label(key) for key in ("bleu_4", "rouge_l", "self_bleu_4", "most_frequent_share", "attribute_recall")] == [
        "BLEU-4",
        "ROUGE-L",
        "mBLEU-4",
        "most frequent share",
        "attribute recall",
    ]
    assert all(one.hint for name in names() for one in kind(name).columns.values())
    assert all(one.hint for one in diversity.COLUMNS.values())


def test_the_best_is_what_the_number_says():
    assert (best("cider_d", [0.1, 0.2]), best("self_bleu_4", [0.1, 0.2])) == (0.2, 0.1)
    assert best("words", [1.0, 2.0]) is best("cider_d", [0.2, 0.2]) is best("cider_d", [0.2]) is None


def test_a_metric_of_the_project_stands_where_it_says(mine):
    assert names()[:3] == ["bleu", "meteor", "errors"]
    assert headline()[4:8] == ["meteor", "errors", "length", "rouge_l"]
    assert column("errors").hint == "wrong words"
    assert goodness("errors", 2.0) < goodness("errors", 1.0)
    assert choose(["cider_d", "errors", "bleu"]) == ["bleu", "errors", "cider_d"]


def test_a_metric_of_the_project_chooses_the_champion(mine):
    measured = {"metrics": ["cider_d", "errors"]}
    assert config.check({"evaluate": measured, "promote": {"metric": "errors"}}).promote.families()[0] == "errors"
    for changes, words in (
        ({"promote": {"metric": "errors"}}, "metrics must have errors"),
        ({"evaluate": measured, "promote": {"metric": "length"}}, "no number is called 'length'"),
        ({"evaluate": measured, "promote": {"metric": "doubts"}}, "no number is called 'doubts'"),
    ):
        with pytest.raises(ParamsError, match=words):
            config.check(changes)


def test_the_champion_is_the_one_with_fewer_errors(mine):
    from photocritic.evaluation.champion import choose as choose_variant

    variant = {"captions": "raw", "features": "weak"}
    rule = {"metric": "errors", "gate": {}}
    params = config.check(
        {"variants": {"a": variant, "b": variant}, "promote": rule, "evaluate": {"metrics": ["cider_d", "errors"]}}
    )
    assert choose_variant(params, {"a.errors": 3.0, "b.errors": 2.0}).winner == "b"
