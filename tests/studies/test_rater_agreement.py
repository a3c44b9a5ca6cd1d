"""Agreement equals published worked examples, and behaves at the edges."""

import math

import numpy as np
import pytest

from photocritic.studies.rater_agreement import fleiss_kappa, krippendorff_alpha, tally

# Fleiss 1971, Table 1: the diagnoses that six psychiatrists gave to each of 30 patients, as 1 to 5.
DIAGNOSES = """
444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444 222333 144444 224445
333335 111455 111112 224444 133555 555555 244444 224555 114444 144445 222224 111155 224444 133333 555555
"""
# Krippendorff 2011, section E: four observers, twelve units, a row an observer; dots are missing.
OBSERVERS = ("1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 .")
UNITS = [[int(value) for value in unit if value != "."] for unit in zip(*map(str.split, OBSERVERS), strict=True)]


def test_kappa_of_fleiss_psychiatrists():
    ratings = {number: [int(digit) for digit in word] for number, word in enumerate(DIAGNOSES.split())}
    counts = tally(ratings, range(1, 6))
    assert counts.shape == (30, 5)
    assert counts.sum(axis=0).tolist() == [26, 26, 30, 55, 43]  # the table's last line
    assert fleiss_kappa(counts) == pytest.approx(0.430, abs=5e-4)


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_krippendorffs_observers(level, published):
    assert krippendorff_alpha(UNITS, level) == pytest.approx(published, abs=5e-4)


def test_full_agreement_is_one_and_contradiction_is_below_zero():
    assert fleiss_kappa(np.array([[3, 0], [0, 3]])) == 1.0
    assert fleiss_kappa(np.array([[1, 1], [1, 1]])) == -1.0
    assert krippendorff_alpha([[1, 1], [5, 5, 5]], "interval") == 1.0
    assert krippendorff_alpha([[1, 2], [1, 2]], "nominal") < 0


def test_nothing_to_agree_on_is_not_a_number():
    assert math.isnan(fleiss_kappa(np.zeros((0, 3), np.int64)))
    assert math.isnan(fleiss_kappa(np.array([[2, 0], [2, 0]])))
    assert math.isnan(krippendorff_alpha([], "nominal"))
    assert math.isnan(krippendorff_alpha([[1], [2]], "ordinal"))
    assert math.isnan(krippendorff_alpha([[2, 2], [2, 2]], "ordinal"))


@pytest.mark.parametrize("counts", [[[2, 1], [1, 1]], [[1, 0], [0, 1]]])
def test_kappa_refuses_uneven_or_single_ratings(counts):
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa(np.array(counts))


def test_alpha_does_not_depend_on_order_or_on_single_ratings():
    turned = [list(reversed(unit)) for unit in reversed(UNITS)]
    assert krippendorff_alpha([*turned, [4]], "ordinal") == pytest.approx(
        krippendorff_alpha(UNITS, "ordinal"), abs=1e-12
    )
