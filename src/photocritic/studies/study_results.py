"""A study's answers as numbers: a row for each source and group, in the shapes of the papers' tables."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import mean, median, median_low
from typing import Any

from photocritic.studies.rater_agreement import Level, fleiss_kappa, krippendorff_alpha, tally
from photocritic.studies.study_file import Rating, Terms
from photocritic.studies.study_kinds import FIRST, GROUPS, KEEP, KINDS, SECOND

Rows = list[dict[str, Any]]
CUT = 50.0  # a caption is good from this mean score on; AIC 6.3.4 does not say where its matrices cut
EVERYBODY = "all"
_LEVELS: dict[str, Level] = {"rating": "ordinal", "grades": "ordinal", "informative": "interval"}


@dataclass(frozen=True)
class Findings:
    """Everything that a study's answers say.

    Attributes
    ----------
    terms : Terms
        What the study agreed on.
    trials : int
        Trials that count.
    ratings : list of Rating
        The answers.
    results, agreement, raters : list of dict
        A row for each source (or pair of sources) and group; for each group; for each rater.
    excluded : int
        Raters whose answers are left out of all of it.
    judged : list of dict
        Where comments were graded, a row for each comment and rater: what a filter can learn from.
    """

    terms: Terms
    trials: int
    ratings: list[Rating]
    results: Rows
    agreement: Rows
    raters: Rows
    excluded: int = 0
    judged: Rows = field(default_factory=list)


def findings(terms: Terms, trials: int, ratings: list[Rating], cut: float = CUT) -> Findings:
    """Compute all numbers of a study; `cut` divides scores from 0 to 100 into bad and good."""
    kind = KINDS[terms.kind]
    if terms.kind == "rating":
        results = _by_group(ratings, lambda some: _categories(some, terms))
    elif terms.kind == "informative":
        results = _by_group(ratings, lambda some: _scores(some, terms, cut))
    elif terms.kind == "grades":
        results = _grades(ratings, terms)
    elif kind.captions == 1:
        results = _good(ratings, terms)
    else:
        results = _pairs(ratings, terms, _relevant if terms.kind == "multiple" else _preferred)
    agreement = [
        {"group": group, **_agreement(some, terms, cut)}
        for group, some in _groups(ratings, [EVERYBODY, *GROUPS]).items()
    ]
    return Findings(terms, trials, ratings, results, agreement, _raters(ratings))


def complete(ratings: Sequence[Rating], planned: int) -> dict[int, list[Rating]]:
    """Return the trials that have all their ratings; where no number is planned, as many as the trial that has most."""
    trials: dict[int, list[Rating]] = {}
    for one in ratings:
        trials.setdefault(one.trial, []).append(one)
    needed = planned or max(map(len, trials.values()), default=0)
    return {trial: some for trial, some in trials.items() if len(some) >= needed}


def _groups(ratings: list[Rating], names: Sequence[str]) -> dict[str, list[Rating]]:
    parts = {name: [one for one in ratings if name in (one.group, EVERYBODY)] for name in names}
    return {name: some for name, some in parts.items() if some}


def _by_group(ratings: list[Rating], rows: Callable[[list[Rating]], Rows]) -> Rows:
    return [{"group": group, **row} for group, some in _groups(ratings, GROUPS).items() for row in rows(some)]


def _captions(ratings: list[Rating], source: str) -> list[list[int]]:
    """List the values of each caption of a source."""
    trials: dict[int, list[int]] = {}
    for one in ratings:
        if one.sources == (source,):
            trials.setdefault(one.trial, []).append(one.value)
    return list(trials.values())


def _categories(ratings: list[Rating], terms: Terms) -> Rows:
    """Shares of good, common and bad captions (AIC Table 2).

    A caption's category is its ratings' median (the lower of two): the majority's where there is one. The published
    percentages are multiples of 1/25, so there too each of the 25 captions had one category in a group.
    """
    rows: Rows = []
    for source in terms.sources:
        captions = _captions(ratings, source)
        values = [value for some in captions for value in some]
        medians = [median_low(some) for some in captions]
        rows.append(
            {"source": source, "captions": len(captions), "ratings": len(values)}
            | {word: _share(medians, value) for word, value in _WORDS.items()}
            | {"average": mean(medians) if medians else None}
            | {f"{word}_of_ratings": _share(values, value) for word, value in _WORDS.items()}
            | {"average_of_ratings": mean(values) if values else None}
        )
    return rows


_WORDS = {"good": 3, "common": 2, "bad": 1}


def _scores(ratings: list[Rating], terms: Terms, cut: float) -> Rows:
    """Rows of the confusion matrices (AIC Figure 6): captions of a source that a group found good or bad."""
    rows: Rows = []
    for source in terms.sources:
        means = [mean(some) for some in _captions(ratings, source)]
        good = sum(score >= cut for score in means)
        rows.append(
            {"source": source, "captions": len(means), "good": good, "bad": len(means) - good}
            | {"good_share": good / len(means) if means else None, "mean_score": mean(means) if means else None}
        )
    return rows


def _grades(ratings: list[Rating], terms: Terms) -> Rows:
    """Rows of the confusion matrices of the filter's verdicts and readers', near the threshold and at random."""
    rows: Rows = []
    for source in terms.sources:
        means = [mean(some) for some in _captions(ratings, source)]
        keep = sum(grade >= KEEP for grade in means)
        rows.append(
            dict(zip(("drawn", "verdict"), source.split("-"), strict=True))
            | {"comments": len(means), "keep": keep, "drop": len(means) - keep}
            | {"keep_share": keep / len(means) if means else None, "mean_grade": mean(means) if means else None}
        )
    return rows


def _good(ratings: list[Rating], terms: Terms) -> Rows:
    """Shares of captions with k or more GOOD answers (CC Table 4), over the captions with all their answers."""
    finished = complete(ratings, terms.raters)
    most = terms.raters or max(map(len, finished.values()), default=0)
    rows: Rows = []
    for source in terms.sources:
        counts = [sum(one.value for one in some) for some in finished.values() if some[0].sources == (source,)]
        shares = {f"{k}+": sum(n >= k for n in counts) / len(counts) if counts else None for k in range(1, most + 1)}
        rows.append({"source": source, "captions": len(counts), **shares})
    return rows


def _pairs(ratings: list[Rating], terms: Terms, judge: Callable[[list[list[int]]], dict[str, Any]]) -> Rows:
    trials: dict[tuple[str, ...], list[list[int]]] = {}
    for some in complete(ratings, terms.raters).values():
        trials.setdefault(some[0].sources, []).append([one.value for one in some])
    return [
        {"first": pair[0], "second": pair[1], "images": len(judged), **judge(judged)}
        for pair, judged in sorted(trials.items(), key=lambda item: [terms.sources.index(name) for name in item[0]])
    ]


def _preferred(trials: list[list[int]]) -> dict[str, Any]:
    """Shares of the images on which most raters chose each caption (Déjà Tables 7 to 10), and a two-sided sign test."""
    from scipy.stats import binomtest

    first = sum(2 * values.count(FIRST) > len(values) for values in trials)
    second = sum(2 * values.count(SECOND) > len(values) for values in trials)
    decided = first + second
    return {
        "first_share": first / decided if decided else None,
        "second_share": second / decided if decided else None,
        "undecided": len(trials) - decided,
        "p": float(binomtest(first, decided).pvalue) if decided else None,
    }


def _relevant(trials: list[list[int]]) -> dict[str, Any]:
    """Shares of the images on which most raters found each caption relevant (Déjà Table 10, multiple)."""
    verdicts = [[2 * sum(bool(value & side) for value in values) > len(values) for side in _SIDES] for values in trials]
    return {
        "first_share": mean(first for first, _ in verdicts),
        "second_share": mean(second for _, second in verdicts),
        "both_share": mean(first and second for first, second in verdicts),
        "neither_share": mean(not first and not second for first, second in verdicts),
    }


_SIDES = (FIRST, SECOND)


def _agreement(ratings: list[Rating], terms: Terms, cut: float) -> dict[str, Any]:
    trials: dict[int, list[int]] = {}
    for one in ratings:
        trials.setdefault(one.trial, []).append(one.value)
    level = _LEVELS.get(terms.kind, "nominal")
    categories = [choice.value for choice in KINDS[terms.kind].choices]
    full = {trial: [one.value for one in some] for trial, some in _equal(ratings).items()}
    good_from = {"informative": cut, "grades": KEEP}.get(terms.kind)
    if good_from is not None:
        categories = [0, 1]
        full = {trial: [int(value >= good_from) for value in values] for trial, values in full.items()}
    return {
        "raters": len({one.rater for one in ratings}),
        "ratings": len(ratings),
        "alpha": _number(krippendorff_alpha(list(trials.values()), level)),
        "alpha_level": level,
        "alpha_trials": sum(len(values) > 1 for values in trials.values()),
        "kappa": _number(fleiss_kappa(tally(full, categories))),
        "kappa_trials": len(full),
    }


def _equal(ratings: list[Rating]) -> dict[int, list[Rating]]:
    """Return the trials with the number of ratings, two or more, that most trials have, for Fleiss' kappa."""
    trials = complete(ratings, 1)
    sizes = Counter(len(some) for some in trials.values() if len(some) > 1)
    usual = max(sizes, key=lambda size: (sizes[size], size), default=0)
    return {trial: some for trial, some in trials.items() if len(some) == usual}


def _raters(ratings: list[Rating]) -> Rows:
    """Rows without names: those stay in the study's file."""
    rows: Rows = []
    for number in sorted({one.rater for one in ratings}):
        own = [one for one in ratings if one.rater == number]
        seconds = round(median(one.seconds for one in own), 1)
        rows.append({"rater": number, "group": own[0].group, "answers": len(own), "median_seconds": seconds})
    return rows


def _share(values: Sequence[int], value: int) -> float | None:
    return values.count(value) / len(values) if values else None


def _number(value: float) -> float | None:
    return None if value != value else value  # noqa: PLR0124 - not a number: an empty cell
