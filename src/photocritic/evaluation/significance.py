"""Whether one variant scores higher than another on the same images, or only seems to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from photocritic.evaluation.bootstrap import SAMPLES, resampled_means

STARS = ((0.005, "**"), (0.05, "*"))  # Déjà Table 6
ALL_PAIRS = 5  # with more variants than these, each is compared with the first one alone

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Difference:
    """How much higher one variant scores than another by one metric, on the same images.

    Attributes
    ----------
    metric, variant, baseline : str
        What is compared with what.
    mean : float
        Mean over images of the variant's score less the baseline's.
    low, high : float
        Its 95% paired bootstrap interval.
    p_value : float
        Of a two-tailed paired t-test that there is no difference; 1 where no image differs.
    """

    metric: str
    variant: str
    baseline: str
    mean: float
    low: float
    high: float
    p_value: float

    @property
    def stars(self) -> str:
        """Return two stars below a p-value of 0.005, one below 0.05, else none (Déjà Table 6)."""
        return next((stars for limit, stars in STARS if self.p_value < limit), "")


def differences(
    scores: Mapping[str, Mapping[str, Floats]], keys: Sequence[str], seed: int, samples: int = SAMPLES
) -> list[Difference]:
    """Compare variants by each of some metrics, image by image.

    Parameters
    ----------
    scores : mapping of str to mapping of str to ndarray, shape (N,)
        For each variant, the scores of the same N images by metric; the first variant is the baseline of all others.
    keys : sequence of str
        The metrics.
    seed : int
        Of the resampling.
    samples : int
        Number of resamples.

    Returns
    -------
    list of Difference
        By metric, and for each every pair of variants, the later one against the earlier; only those against the
        first where there are more than `ALL_PAIRS` variants.

    Notes
    -----
    The p-values are of each pair alone; they are not corrected for the number of pairs. A metric that is not a mean
    over images, as BLEU and METEOR, is compared by its scores of single images.

    References
    ----------
    Déjà section 4 and Table 6; Koehn 2004, Statistical Significance Tests for Machine Translation Evaluation.
    """
    names = list(scores)
    pairs = list(combinations(range(len(names)), 2))
    if len(names) > ALL_PAIRS:
        pairs = [(baseline, variant) for baseline, variant in pairs if baseline == 0]
    return [one for key in keys for one in _of_metric(key, scores, pairs, seed, samples)]


def _of_metric(
    key: str, scores: Mapping[str, Mapping[str, Floats]], pairs: Sequence[tuple[int, int]], seed: int, samples: int
) -> list[Difference]:
    names = list(scores)
    matrix = np.stack([scores[name][key] for name in names], axis=1)
    means = resampled_means(matrix, seed, samples)
    found = []
    for baseline, variant in pairs:
        change = matrix[:, variant] - matrix[:, baseline]
        low, high = np.percentile(means[:, variant] - means[:, baseline], [2.5, 97.5])
        found.append(
            Difference(
                key, names[variant], names[baseline], float(change.mean()), float(low), float(high), _p_value(change)
            )
        )
    return found


def _p_value(change: Floats) -> float:
    """Test that paired differences have a mean of 0; equal ones leave the test without a variance."""
    from scipy.stats import ttest_1samp

    if len(change) < 2 or np.ptp(change) == 0.0:
        return 1.0 if len(change) < 2 or change[0] == 0.0 else 0.0
    return float(ttest_1samp(change, 0.0).pvalue)
