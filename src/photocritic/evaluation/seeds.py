"""How far numbers move with the seed of training: means and differences over runs, beside those over photographs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isclose

import numpy as np

from photocritic.core.errors import PhotocriticError
from photocritic.evaluation.bootstrap import SAMPLES, resampled_means
from photocritic.evaluation.measure import Floats
from photocritic.evaluation.significance import ALL_PAIRS

_ROUNDING = 1e-6  # by which a mean of scores that were written may differ from the number of the whole corpus


@dataclass(frozen=True)
class SeedRun:
    """An evaluation of one run of the pipeline.

    Attributes
    ----------
    seed : int
        Of the run.
    settings : str
        The values in which its other parameters differ from those of other runs; empty where none do.
    numbers : dict of str to dict of str to float
        Of the photographs that are reported on, by variant and metric.
    scores : dict of str to dict of str to ndarray, shape (N,)
        Of the same N photographs in all runs, by variant and metric; empty where these are not at hand.
    """

    seed: int
    settings: str
    numbers: dict[str, dict[str, float]]
    scores: dict[str, dict[str, Floats]] = field(default_factory=dict)


@dataclass(frozen=True)
class SeedEstimate:
    """A mean over seeds, of a condition's metric or of the difference between two conditions.

    Attributes
    ----------
    metric : str
        The metric.
    condition, baseline : str
        The variant with its run's settings, and the one that is subtracted; empty where none is.
    seeds : int
        Number of seeds n.
    mean, deviation : float
        Mean, and standard deviation with n - 1.
    low, high : float
        95% interval of the mean over seeds, by Student's t distribution with n - 1 degrees of freedom.
    photographs_low, photographs_high : float or None
        95% bootstrap interval over photographs, whose scores are first averaged over seeds; None where the metric is no
        mean over photographs, or their scores are not at hand.
    """

    metric: str
    condition: str
    baseline: str
    seeds: int
    mean: float
    deviation: float
    low: float
    high: float
    photographs_low: float | None
    photographs_high: float | None


@dataclass(frozen=True)
class _Condition:
    variant: str
    settings: str

    @property
    def name(self) -> str:
        return f"{self.variant} ({self.settings})" if self.settings else self.variant


@dataclass(frozen=True)
class _Value:
    """A metric in one run: its number, and the photographs' scores where it is their mean."""

    number: float
    scores: Floats | None

    def minus(self, other: "_Value") -> "_Value":
        scores = None if self.scores is None or other.scores is None else self.scores - other.scores
        return _Value(self.number - other.number, scores)


def over_seeds(runs: Sequence[SeedRun], metrics: Sequence[str], bootstrap_seed: int) -> list[SeedEstimate]:
    """Estimate each condition's metrics, and the differences between conditions, over seeds.

    A condition is a variant with its run's settings. Two variants are compared where their settings are equal, and two
    settings where their variants are, seed by seed; of more than `ALL_PAIRS`, each with the first alone.

    Parameters
    ----------
    runs : sequence of SeedRun
        Of equal settings and seed the last one counts.
    metrics : sequence of str
        The metrics; those that were not measured are left out.
    bootstrap_seed : int
        Of the resampling of photographs.

    Returns
    -------
    list of SeedEstimate
        By metric: conditions first, then pairs.

    Raises
    ------
    PhotocriticError
        No condition has two seeds.
    """
    result = []
    for metric in metrics:
        values = _by_condition(runs, metric)
        result += [_estimate(metric, one.name, "", list(some.values()), bootstrap_seed) for one, some in values.items()]
        for baseline, condition in _pairs(list(values)):
            first, second = values[baseline], values[condition]
            changes = [second[seed].minus(first[seed]) for seed in second if seed in first]
            result.append(_estimate(metric, condition.name, baseline.name, changes, bootstrap_seed))
    found = [one for one in result if one.seeds > 1]
    if not found:
        raise PhotocriticError(
            "runs of equal settings all have one seed; run more, such as dvc exp run --queue -S seed=1,2,3"
        )
    return found


def _by_condition(runs: Sequence[SeedRun], metric: str) -> dict[_Condition, dict[int, _Value]]:
    found: dict[_Condition, dict[int, _Value]] = {}
    for run in runs:
        for variant, numbers in run.numbers.items():
            if metric not in numbers:
                continue
            scores = run.scores.get(variant, {}).get(metric)
            is_mean = scores is not None and isclose(float(scores.mean()), numbers[metric], rel_tol=_ROUNDING)
            value = _Value(numbers[metric], scores if is_mean else None)
            found.setdefault(_Condition(variant, run.settings), {})[run.seed] = value
    return found


def _pairs(conditions: Sequence[_Condition]) -> list[tuple[_Condition, _Condition]]:
    variants, settings = ({getattr(one, name): None for one in conditions} for name in ("variant", "settings"))
    baselines = list(variants)[: None if len(variants) <= ALL_PAIRS else 1]
    first_settings = list(settings)[: None if len(settings) <= ALL_PAIRS else 1]
    return [
        (one, other)
        for one, other in combinations(conditions, 2)
        if (one.settings == other.settings and one.variant in baselines)
        or (one.variant == other.variant and one.settings in first_settings)
    ]


def _estimate(metric: str, condition: str, baseline: str, values: Sequence[_Value], seed: int) -> SeedEstimate:
    from scipy.stats import t

    numbers, count = np.array([one.number for one in values]), len(values)
    mean = float(numbers.mean()) if count else 0.0
    deviation = float(numbers.std(ddof=1)) if count > 1 else 0.0
    half = float(t.ppf(0.975, count - 1)) * deviation / count**0.5 if count > 1 else 0.0
    ends: tuple[float | None, float | None] = (None, None)
    scores = [one.scores for one in values if one.scores is not None]
    if count > 1 and len(scores) == count:
        means = resampled_means(np.mean(scores, axis=0)[:, None], seed, SAMPLES)
        ends = (float(np.percentile(means, 2.5)), float(np.percentile(means, 97.5)))
    return SeedEstimate(metric, condition, baseline, count, mean, deviation, mean - half, mean + half, *ends)
