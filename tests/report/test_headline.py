"""The table of metrics under the published numbers that compare."""

import numpy as np
import pytest

from photocritic.config import Variant
from photocritic.evaluation.bootstrap import Interval
from photocritic.evaluation.measure import Measures
from photocritic.report.headline import accuracy_table

VARIANTS = {
    "wd": Variant(captions="filtered", features="imagenet"),
    "ao": Variant(captions="filtered", features="imagenet", aspect="composition"),
}


def measured(*keys):
    """Return measures of both variants."""
    values = dict.fromkeys(keys, 0.2)
    scores = {key: np.full(3, 0.2) for key in keys}
    return {name: Measures(values, scores, Interval(0.2, 0.1, 0.3, 0.0, 0.0), {}) for name in VARIANTS}


@pytest.mark.parametrize(
    ("keys", "on_pccd", "rows"),
    [
        (("bleu_1", "cider_d", "spice_1"), False, {"AIC NS": ["0.379", "0.038", "0.135"]}),
        (("bleu_1", "cider_d", "spice_1"), True, {"AIC CNN-LSTM-WD": ["", "", "0.136"], "AIC AF": ["", "", "0.150"]}),
        (("bleu_1", "cider_d"), True, {}),
    ],
)
def test_the_published_rows_are_those_of_the_corpus(keys, on_pccd, rows):
    table = accuracy_table(measured(*keys), VARIANTS, [], on_pccd)
    found = {row.name: [cell.text for cell in row.cells[1:]] for row in table.rows}
    assert rows.items() <= found.items()
    assert bool(rows) == any(name.startswith("AIC") for name in found)
    assert ("Table 1 (b)" in table.note) == on_pccd


def test_a_variant_that_learned_one_aspect_names_it():
    table = accuracy_table(measured("cider_d"), VARIANTS, [], on_pccd=True)
    assert [row.cells[0].text for row in table.rows] == ["filtered", "filtered, composition"]
