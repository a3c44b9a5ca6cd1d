"""The section filter: which comments are kept (AIC 3)."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from photocritic.config.language import LanguageParams
from photocritic.config.values import Block, Positive, Section


class FilterParams(Section):
    """Which filters judge, in what order, and the score that decides (AIC 3)."""

    chain: list[str | dict[str, dict[str, Any]]]
    score: Literal["informativeness", "agreement", "both"]
    threshold: float | Literal["auto"] | Annotated[str, Field(pattern=r"^keep (0?\.\d+|1(\.0*)?)$")]
    upper: Annotated[float, Field(gt=0)] | None
    min_count: Positive

    @field_validator("chain")
    @classmethod
    def _entries_are_one_filter_each(cls, chain: list[str | dict[str, Any]]) -> list[str | dict[str, Any]]:
        for place, entry in enumerate(chain):
            if isinstance(entry, dict) and len(entry) != 1:
                raise ValueError(f"entry {place} has {len(entry)} filters; write each on a line of its own")
        return chain


class FilterFileParams(Block):
    """What `photocritic filter` reads of params.yaml."""

    seed: Annotated[int, Field(ge=0, lt=2**32)]
    language: LanguageParams
    filter: FilterParams
