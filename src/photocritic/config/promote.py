"""The section promote: which variant is chosen, and when it takes the champion's place."""

import difflib
from typing import Annotated, Literal, get_args

from pydantic import Field, field_validator, model_validator

from photocritic.config.values import Block, Section

# What the headline table of the report has a column for; SPICE and METEOR where they are measured.
HeadlineName = Literal[
    "bleu_1", "bleu_2", "bleu_3", "bleu_4", "meteor", "rouge_l", "cider", "cider_d", "spice", "spice_1"
]
_DIVERSITY = ("diversity", "distinct_1", "distinct_2", "vocabulary", "words", "most_frequent_share", "novel_share")
_ATTRIBUTES = ("attribute_precision", "attribute_recall")  # of the bundled sample alone
_LIMITED = (*get_args(HeadlineName), *_DIVERSITY, *_ATTRIBUTES)


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
        The number of the headline table that variants are compared by; more is better.
    margin : float
        By how much at least a challenger must be above the champion that is registered, on the same images; equal is
        never enough.
    gate : dict of str to Limit
        What a variant must hold to be eligible at all, by the number's name in the metrics.
    """

    metric: HeadlineName
    margin: Annotated[float, Field(ge=0.0)]
    gate: dict[str, Limit]

    @field_validator("gate")
    @classmethod
    def _limits_what_is_measured(cls, gate: dict[str, Limit]) -> dict[str, Limit]:
        for name in gate:
            if name not in _LIMITED:
                near = difflib.get_close_matches(name, _LIMITED, n=1, cutoff=0.0)[0]
                raise ValueError(f"no such metric: '{name}'; did you mean '{near}'?")
        return gate

    def families(self) -> list[str]:
        """Return the overlap metrics that the choice needs: bleu for bleu_4."""
        wanted = (self.metric, *(name for name in self.gate if name in get_args(HeadlineName)))
        return [name.rstrip("1234").rstrip("_") for name in wanted]
