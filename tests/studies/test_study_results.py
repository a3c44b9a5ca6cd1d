"""The numbers of studies, in the shape of the papers' tables."""

import pytest

from photocritic.studies.study_file import Rating, Terms
from photocritic.studies.study_kinds import GRADED
from photocritic.studies.study_results import findings


def ratings(answers, group_of=lambda rater: "expert"):
    """Make ratings from {trial: (sources, values by rater)}; None was not answered."""
    return [
        Rating(trial, f"picture{trial}", sources, rater, group_of(rater), value, 2.0)
        for trial, (sources, values) in answers.items()
        for rater, value in enumerate(values, 1)
        if value is not None
    ]


def terms(kind, sources=("a", "b"), raters=0):
    return Terms(kind, sources, 0, raters, 7)


def test_good_common_and_bad_as_in_aic_table_2():
    # Raters 1 and 2 are experts, 3 to 5 are not.
    answers = {
        1: (("a",), [3, 3, 1, 1, 3]),
        2: (("a",), [2, 1, 2, 2, 2]),
        3: (("b",), [2, 2, 3, 3, 1]),
        4: (("b",), [1, 2, 1, 1, 1]),
    }
    found = findings(terms("rating"), 4, ratings(answers, lambda rater: "expert" if rater < 3 else "non-expert"))
    rows = {(row["group"], row["source"]): row for row in found.results}
    expected = {
        # good, common and bad captions by their median, average; the same of all ratings
        ("expert", "a"): (1 / 2, 0, 1 / 2, 2.0, 2 / 4, 1 / 4, 1 / 4, 9 / 4),
        ("expert", "b"): (0, 1 / 2, 1 / 2, 1.5, 0, 3 / 4, 1 / 4, 7 / 4),
        ("non-expert", "a"): (0, 1 / 2, 1 / 2, 1.5, 1 / 6, 3 / 6, 2 / 6, 11 / 6),
        ("non-expert", "b"): (1 / 2, 0, 1 / 2, 2.0, 2 / 6, 0, 4 / 6, 10 / 6),
    }
    keys = ["good", "common", "bad", "average"]
    keys += [f"{key}_of_ratings" for key in keys]
    assert {key: tuple(row[name] for name in keys) for key, row in rows.items()} == {
        key: pytest.approx(values) for key, values in expected.items()
    }
    assert [(row["group"], row["raters"], row["ratings"]) for row in found.agreement] == [
        ("all", 5, 20),
        ("expert", 2, 8),
        ("non-expert", 3, 12),
    ]
    # Experts by hand: of four trials two agree; 3 of 8 ratings are 1 or 3 each less... shares 2/8, 4/8, 2/8.
    expert = found.agreement[1]
    chance = (2 / 8) ** 2 + (4 / 8) ** 2 + (2 / 8) ** 2
    assert expert["kappa"] == pytest.approx((0.5 - chance) / (1 - chance))
    assert found.agreement[0]["alpha_level"] == "ordinal"


def test_scores_become_a_confusion_matrix_as_in_aic_figure_6():
    answers = {
        1: (("accepted",), [80, 70, 10]),
        2: (("accepted",), [30, 60, 90]),
        3: (("discarded",), [50, 50, 90]),
        4: (("discarded",), [0, 20, 20]),
    }
    some = ratings(answers, lambda rater: "expert" if rater < 3 else "non-expert")
    found = findings(terms("informative", ("accepted", "discarded")), 4, some)
    rows = [(row["group"], row["source"], row["good"], row["bad"], row["mean_score"]) for row in found.results]
    assert rows == [
        ("expert", "accepted", 1, 1, 60.0),  # means 75 and 45
        ("expert", "discarded", 1, 1, 30.0),  # 50 is good
        ("non-expert", "accepted", 1, 1, 50.0),
        ("non-expert", "discarded", 1, 1, 55.0),
    ]
    strict = findings(terms("informative", ("accepted", "discarded")), 4, some, cut=51)
    assert [row["good"] for row in strict.results] == [1, 0, 1, 1]


def test_grades_become_a_confusion_matrix_of_the_filters_verdict_and_readers():
    answers = {
        1: (("uncertain-accepted",), [3, 2]),
        2: (("uncertain-discarded",), [2, 1]),  # their mean is below 2
        3: (("random-accepted",), [2, 2]),
        4: (("random-accepted",), [0, 0]),
        5: (("random-discarded",), [3, None]),
        6: (("random-discarded",), [1, 0]),
    }
    found = findings(terms("grades", GRADED, 2), 6, ratings(answers))
    keys = ["drawn", "verdict", "comments", "keep", "drop", "keep_share", "mean_grade"]
    assert [[row[key] for key in keys] for row in found.results] == [
        ["uncertain", "accepted", 1, 1, 0, 1.0, 2.5],
        ["uncertain", "discarded", 1, 0, 1, 0.0, 1.5],
        ["random", "accepted", 2, 1, 1, 0.5, 1.0],
        ["random", "discarded", 2, 1, 1, 0.5, 1.75],
    ]
    everybody = found.agreement[0]
    assert (everybody["alpha_level"], everybody["kappa_trials"]) == ("ordinal", 5)
    # Of keeping: 4 of 5 comments are agreed on; of the ten answers five would keep.
    assert everybody["kappa"] == pytest.approx((4 / 5 - 1 / 2) / (1 / 2))


def test_k_or_more_good_answers_as_in_cc_table_4():
    answers = {
        1: (("a",), [1, 1, 1]),
        2: (("a",), [0, 1, 0]),
        3: (("b",), [0, 0, 0]),
        4: (("b",), [1, 1, None]),  # not finished: says nothing yet
        5: (("a",), [1, 0, 1]),
        6: (("a",), [0, 0, 0]),
    }
    found = findings(terms("yesno", raters=3), 6, ratings(answers))
    assert found.results == [
        {"source": "a", "captions": 4, "1+": 3 / 4, "2+": 2 / 4, "3+": 1 / 4},
        {"source": "b", "captions": 1, "1+": 0.0, "2+": 0.0, "3+": 0.0},
    ]


def test_pairs_are_decided_by_the_majority_as_in_deja_table_7():
    ab, ac = ("a", "b"), ("a", "c")
    answers = {
        1: (ab, [1, 1, 2]),
        2: (ab, [2, 2, 2]),
        3: (ab, [1, 1, 1]),
        4: (ab, [1, 1, 1]),
        5: (ab, [2, None, None]),
        6: (ac, [2, 2, 1]),
    }
    found = findings(terms("pairs", ("a", "b", "c"), 3), 6, ratings(answers))
    first, second = found.results
    assert {key: first[key] for key in ("first", "second", "images", "undecided")} == {
        "first": "a",
        "second": "b",
        "images": 4,
        "undecided": 0,
    }
    assert (first["first_share"], first["second_share"]) == (0.75, 0.25)
    assert first["p"] == pytest.approx(10 / 16)  # 2 (C(4,3) + C(4,4)) / 2^4
    assert (second["images"], second["second_share"]) == (1, 1.0)


def test_an_even_number_of_raters_may_leave_a_pair_undecided():
    answers = {1: (("a", "b"), [1, 2]), 2: (("a", "b"), [2, 2])}
    (row,) = findings(terms("pairs", raters=2), 2, ratings(answers)).results
    assert (row["first_share"], row["second_share"], row["undecided"]) == (0.0, 1.0, 1)


def test_multiple_choice_counts_each_caption_alone_as_in_deja_table_10():
    both, neither = 3, 0
    answers = {
        1: (("a", "b"), [both, 1, neither]),  # a by two of three
        2: (("a", "b"), [neither, neither, both]),
        3: (("a", "b"), [both, both, 2]),
        4: (("a", "b"), [2, 2, 1]),
    }
    (row,) = findings(terms("multiple", raters=3), 4, ratings(answers)).results
    shares = [row[f"{key}_share"] for key in ("first", "second", "both", "neither")]
    assert shares == [0.5, 0.5, 0.25, 0.25]
