"""The section promote: which variant is chosen, and when it takes the champion's place."""

import difflib
from collections.abc import Iterable
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from photocritic.config.values import Block, Section
from photocritic.core import plugins

_DIVERSITY = (
    "diversity",
    "diversity_content",
    "distinct_1",
    "distinct_2",
    "vocabulary",
    "words",
    "most_frequent_share",
    "novel_share",
)
_ATTRIBUTES = ("attribute_precision", "attribute_recall")  # of the bundled sample alone


def _headlines() -> dict[str, str]:
    """Return what the headline table of the report can have a column for, and the metric that measures it."""
    return {
        key: name
        for name in plugins.available("metric")
        for key, column in plugins.find("metric", name, "evaluate.metrics").columns.items()
        if column.headline and column.better != "neither"
    }


def _refuse_unknown(name: str, known: Iterable[str]) -> None:
    if name not in known:
        near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.0)[0]
        raise ValueError(f"no number is called '{name}'; did you mean '{near}'?")


class Limit(Block):
    """The range that a number must be in.

    Attributes
    ----------
    min, max : float, optional
        The least and the greatest value that pass; at least one of them.
    """

    min: float | None = None
    max: float | None = None

    @model_validator(mode="after")
    def _limits_something(self) -> "Limit":
        if self.min is None and self.max is None:
            raise ValueError("give min, max or both, such as {max: 0.5}")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min {self.min:g} is above max {self.max:g}")
        return self


class PromoteParams(Section):
    """How the champion is chosen.

    Attributes
    ----------
    metric : str
        The number of the headline table that variants are compared by; its metric says which of two is better.
    margin : float
        By how much at least a challenger must be better than the champion that is registered, on the same images;
        equal is never enough.
    gate : dict of str to Limit
        What a variant must hold to be eligible at all, by the number's name in the metrics.
    """

    metric: str
    margin: Annotated[float, Field(ge=0.0)]
    gate: dict[str, Limit]

    @field_validator("metric")
    @classmethod
    def _is_a_headline(cls, metric: str) -> str:
        _refuse_unknown(metric, _headlines())
        return metric

    @field_validator("gate")
    @classmethod
    def _limits_what_is_measured(cls, gate: dict[str, Limit]) -> dict[str, Limit]:
        for name in gate:
            _refuse_unknown(name, (*_headlines(), *_DIVERSITY, *_ATTRIBUTES))
        return gate

    def families(self) -> list[str]:
        """Return the metrics that must be measured for the choice: bleu_4 is one of bleu's."""
        metrics = _headlines()
        return [metrics[name] for name in (self.metric, *self.gate) if name in metrics]
