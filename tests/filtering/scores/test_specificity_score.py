"""Specificity as a score of the filter."""

import pytest

from tests.filtering.scores.judging import PRAISE, TELLING, judged


def test_comments_about_the_photograph_are_above_praise_without_anybodys_judgement(tmp_path):
    scores = judged(tmp_path, [*TELLING, *PRAISE], score="specificity").columns["score"]
    assert min(scores[: len(TELLING)]) > 2 * max(scores[len(TELLING) :])


def test_the_cut_between_them_is_found(tmp_path):
    reasons = judged(tmp_path, [*TELLING, *PRAISE] * 3, score="specificity", threshold="auto").reasons
    assert [not reason for reason in reasons] == ([True] * len(TELLING) + [False] * len(PRAISE)) * 3


def test_scores_do_not_depend_on_the_other_comments(tmp_path):
    together = judged(tmp_path, [*TELLING, *PRAISE], score="specificity").columns["score"]
    (tmp_path / "alone").mkdir()
    alone = judged(tmp_path / "alone", TELLING[:1], score="specificity").columns["score"]
    assert alone[0] == pytest.approx(together[0])
