"""The rule by which one variant is chosen on validation images, and may take the place of the one that reigns."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from photocritic.config import Limit, Params, PromoteParams
from photocritic.core.errors import ParamsError
from photocritic.evaluation.evaluation_set import Chain, EvaluationSet, load_evaluation_set
from photocritic.metrics.columns import goodness, label

log = logging.getLogger(__name__)

SPLIT_NAMES: Final = {"val": "validation", "test": "test"}  # of the splits that are held back
_DIGITS = 9  # of a difference; what comes after is noise of the subtraction


@dataclass(frozen=True)
class Choice:
    """What the rule says of the variants of one evaluation.

    Attributes
    ----------
    rule : PromoteParams
        The rule.
    values : dict of str to float
        The metric that chooses, by variant.
    reported : dict of str to float
        The same metric on the images of `predict.split`, by variant.
    split, reported_split : str
        Of the images that `values` and `reported` are of. Both are test where no validation image has a reference.
    refused : dict of str to str
        Why a variant is not eligible, by variant.
    """

    rule: PromoteParams
    values: dict[str, float]
    reported: dict[str, float]
    split: str
    reported_split: str
    refused: dict[str, str]

    @property
    def eligible(self) -> list[str]:
        """The variants that pass the gate."""
        return [name for name in self.values if name not in self.refused]

    @property
    def winner(self) -> str | None:
        """The best eligible variant, the first one of equals; None where no variant is eligible."""
        return max(self.eligible, key=self._goodness, default=None)

    @property
    def best(self) -> str:
        """The winner, or the best of all where no variant is eligible."""
        return self.winner or max(self.values, key=self._goodness)

    def _goodness(self, variant: str) -> float:
        return goodness(self.rule.metric, self.values[variant])

    def message(self) -> str:
        """Return in one line which variant is chosen, by what, and which are not eligible."""
        gate = "; ".join(_limit_text(name, limit) for name, limit in self.rule.gate.items())
        passing = f"that pass the gate ({gate})" if gate else "variants"
        held = "; ".join(f"{name}: {reason}" for name, reason in self.refused.items())
        if self.winner is None:
            return f"none: 0 of {len(self.values)} pass the gate ({held})"
        found = f"{self.winner}: {self._reached(self.winner)}, best of {len(self.eligible)} {passing}"
        return found + (f"; not eligible: {held}" if held else "")

    def _reached(self, variant: str) -> str:
        """Return what a variant reaches on the photographs of the choice, and what on those that are reported on."""
        found = f"{label(self.rule.metric)} {self.values[variant]:.3f} on {SPLIT_NAMES[self.split]} photographs"
        if self.split != self.reported_split:
            return f"{found} ({self.reported[variant]:.3f} on {SPLIT_NAMES[self.reported_split]} photographs)"
        return found + (" (no validation photograph has a reference)" if self.split == "test" else "")

    def rows(self) -> list[dict[str, Any]]:
        """Return a row a variant: its numbers, whether it is eligible, and why not."""
        return [
            {
                "variant": name,
                "metric": self.rule.metric,
                "split": self.split,
                "value": round(value, 6),
                "reported_split": self.reported_split,
                "reported": round(self.reported[name], 6),
                "chosen": name == self.winner,
                "eligible": name not in self.refused,
                "reason": self.refused.get(name, ""),
            }
            for name, value in self.values.items()
        ]


def choose(params: Params, numbers: Mapping[str, float]) -> Choice:
    """Apply the rule `promote`.

    Parameters
    ----------
    params : Params
        The variants and the rule.
    numbers : mapping of str to float
        As in the outcome of `evaluate`: `<variant>.<metric>`, and `val.<variant>.<metric>` of validation images. Where
        there are none of these, the choice is made by the others.

    Returns
    -------
    Choice
        Who is chosen, and why.

    Raises
    ------
    ParamsError
        The rule names a number that is not measured here.
    """
    rule, variants = params.promote, list(params.compared)
    reported_split = params.predict.split
    is_validated = any(f"val.{variant}.{rule.metric}" in numbers for variant in variants)
    before = "val." if is_validated else ""
    for name in (rule.metric, *rule.gate):
        if any(f"{before}{variant}.{name}" not in numbers for variant in variants):
            raise ParamsError(f"promote: {name} is not measured on this corpus and machine; name another")
    reasons = {variant: _reasons(rule, f"{before}{variant}", numbers) for variant in variants}
    return Choice(
        rule,
        {variant: numbers[f"{before}{variant}.{rule.metric}"] for variant in variants},
        {variant: numbers[f"{variant}.{rule.metric}"] for variant in variants},
        "val" if is_validated else reported_split,
        reported_split,
        {variant: ", ".join(some) for variant, some in reasons.items() if some},
    )


def load_validation_set(
    images: Path, captions: Path, references: Path, split: str, chain: Chain = ()
) -> EvaluationSet | None:
    """Load the validation images and their references, on which the champion is chosen.

    Parameters
    ----------
    images, captions, references, chain
        As of `load_evaluation_set`.
    split : str
        Of the images that variants are reported on.

    Returns
    -------
    EvaluationSet or None
        None where no validation image has a reference, or where they are the very images that are reported on.
    """
    if split == "val":
        return None
    found = load_evaluation_set(images, captions, references, "val", chain, required=False)
    if not found.examples:
        log.warning("no validation image has a reference: the champion is chosen on the test images (ingest.val_share)")
        return None
    return found


def require_measured(rule: PromoteParams, names: Sequence[str]) -> None:
    """Refuse a rule that needs a metric which is not among those about to be measured.

    Parameters
    ----------
    rule : PromoteParams
        The rule.
    names : sequence of str
        The overlap metrics.

    Raises
    ------
    ParamsError
        One is missing.
    """
    for name in rule.families():
        if name not in names:
            raise ParamsError(f"promote: {name} is not installed here (docs/metrics.md); choose by another")


def surpasses(challenger: float, champion: float, margin: float) -> bool:
    """Return whether a challenger's `goodness` is above the champion's, and by the margin at least."""
    gain = round(challenger - champion, _DIGITS)
    return gain > 0.0 and gain >= margin


def _reasons(rule: PromoteParams, variant: str, numbers: Mapping[str, float]) -> list[str]:
    found = ((name, numbers[f"{variant}.{name}"], limit) for name, limit in rule.gate.items())
    return [_broken(name, value, limit) for name, value, limit in found if _broken(name, value, limit)]


def _broken(name: str, value: float, limit: Limit) -> str:
    if limit.min is not None and value < limit.min:
        return f"{name} {value:.3f} is below {limit.min:g}"
    if limit.max is not None and value > limit.max:
        return f"{name} {value:.3f} is above {limit.max:g}"
    return ""


def _limit_text(name: str, limit: Limit) -> str:
    ends = (("at least", limit.min), ("at most", limit.max))
    return f"{name} {' and '.join(f'{word} {end:g}' for word, end in ends if end is not None)}"
