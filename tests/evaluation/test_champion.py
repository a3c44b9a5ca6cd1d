"""The rule that chooses a champion: metric, margin, gate."""

import pytest

from photocritic import config
from photocritic.core.errors import ParamsError
from photocritic.evaluation.champion import choose, require_measured, surpasses

VARIANT = {"captions": "raw", "features": "weak"}


def chosen(numbers, **rule):
    """Apply a rule to the numbers of some variants."""
    checked = config.check({"variants": dict.fromkeys(numbers, VARIANT), "promote": rule})
    flat = {f"{name}.{key}": value for name, some in numbers.items() for key, value in some.items()}
    return choose(checked, flat)


def test_the_best_of_those_that_pass_the_gate_is_chosen():
    numbers = {
        "ns": {"cider_d": 0.9, "most_frequent_share": 0.6, "novel_share": 0.1},
        "cs": {"cider_d": 0.2, "most_frequent_share": 0.1, "novel_share": 0.5},
        "cws": {"cider_d": 0.3, "most_frequent_share": 0.5, "novel_share": 0.2},
    }
    choice = chosen(numbers, gate={"most_frequent_share": {"max": 0.5}, "novel_share": {"min": 0.2, "max": 1}})
    assert (choice.winner, choice.best, choice.eligible) == ("cws", "cws", ["cs", "cws"])
    assert choice.message() == (
        "cws: CIDEr-D 0.300 on test photographs (no validation photograph has a reference), "
        "best of 2 that pass the gate (most_frequent_share at most 0.5; "
        "novel_share at least 0.2 and at most 1); "
        "not eligible: ns: most_frequent_share 0.600 is above 0.5, novel_share 0.100 is below 0.2"
    )
    assert [(row["variant"], row["chosen"], row["eligible"]) for row in choice.rows()] == [
        ("ns", False, False),
        ("cs", False, True),
        ("cws", True, True),
    ]


def test_the_choice_is_made_on_validation_and_reported_on_test():
    numbers = {
        "ns": {"cider_d": 0.9, "words": 3.0},
        "cws": {"cider_d": 0.2, "words": 9.0},
        "val.ns": {"cider_d": 0.1, "words": 9.0},
        "val.cws": {"cider_d": 0.3, "words": 9.0},
    }
    variants = {"ns": VARIANT, "cws": VARIANT}
    flat = {f"{name}.{key}": value for name, some in numbers.items() for key, value in some.items()}
    rule = {"gate": {"words": {"min": 5}}}
    choice = choose(config.check({"variants": variants, "promote": rule}), flat)
    assert choice.message() == (
        "cws: CIDEr-D 0.300 on validation photographs (0.200 on test photographs), "
        "best of 2 that pass the gate (words at least 5)"
    )
    shown = [
        (row["variant"], row["split"], row["value"], row["reported_split"], row["reported"]) for row in choice.rows()
    ]
    assert shown == [("ns", "val", 0.1, "test", 0.9), ("cws", "val", 0.3, "test", 0.2)]
    on_val = config.check({"variants": variants, "promote": rule, "predict": {"split": "val"}})
    own = {key: value for key, value in flat.items() if not key.startswith("val.")}
    assert choose(on_val, own).message().startswith("cws: CIDEr-D 0.200 on validation photographs, best of 1")


def test_without_a_gate_all_are_eligible_and_the_first_of_equals_wins():
    numbers = {"ns": {"bleu_4": 0.5, "cider_d": 0.1}, "cs": {"bleu_4": 0.5, "cider_d": 0.2}}
    choice = chosen(numbers, metric="bleu_4", gate={})
    assert choice.message().startswith("ns: BLEU-4 0.500 on test photographs")
    assert choice.message().endswith(", best of 2 variants")


def test_where_nobody_passes_nobody_wins_but_the_report_has_someone_to_tell_of():
    numbers = {"ns": {"cider_d": 0.1, "words": 3.0}, "cs": {"cider_d": 0.2, "words": 2.0}}
    choice = chosen(numbers, gate={"words": {"min": 5}})
    assert (choice.winner, choice.best) == (None, "cs")
    assert choice.message().startswith("none: 0 of 2 pass the gate (ns: words 3.000 is below 5; cs:")


def test_a_rule_by_a_number_that_is_not_measured_is_refused():
    with pytest.raises(ParamsError, match="attribute_recall is not measured"):
        chosen({"ns": {"cider_d": 0.1}}, gate={"attribute_recall": {"min": 0.2}})
    rule = config.check({"evaluate": {"metrics": "auto"}, "promote": {"metric": "spice_1"}}).promote
    with pytest.raises(ParamsError, match=r"promote: spice is not installed"):
        require_measured(rule, ["bleu", "cider_d"])


@pytest.mark.parametrize(
    ("challenger", "champion", "margin", "expected"),
    [
        (0.31, 0.30, 0.0, True),
        (0.30, 0.30, 0.0, False),
        (0.31, 0.30, 0.01, True),  # 0.01 as floats subtract it is a hair too little or too much
        (0.3, 0.2, 0.1, True),
        (0.309, 0.30, 0.01, False),
        (0.2, 0.3, 0.0, False),
    ],
)
def test_a_challenger_must_be_above_and_by_the_margin(challenger, champion, margin, expected):
    assert surpasses(challenger, champion, margin) is expected
