"""The section filter: which comments are kept (AIC 3)."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from photocritic.config.language import LanguageParams
from photocritic.config.values import Block, Name, Positive, Section, Seed


class FilterParams(Section):
    """Which filters judge, in what order, and the score that decides (AIC 3)."""

    unit: Literal["comment", "sentence"]
    chain: list[str | dict[str, dict[str, Any]]]
    score: Name | Annotated[list[Name], Field(min_length=1)]
    model: str
    threshold: float | Literal["auto"] | Annotated[str, Field(pattern=r"^(keep|precision|recall) (0?\.\d+|1(\.0*)?)$")]
    upper: Annotated[float, Field(gt=0)] | None
    min_count: Positive
    fit: Literal["all", "train"]

    @property
    def scores(self) -> list[str]:
        """The names of the scores that decide together."""
        return [self.score] if isinstance(self.score, str) else self.score

    @property
    def model_path(self) -> Path | None:
        """The file of the learned score's model; None: the bundled one."""
        return None if self.model == "bundled" else Path(self.model)

    @field_validator("score")
    @classmethod
    def _scores_are_different(cls, score: str | list[str]) -> str | list[str]:
        if len(set(score)) < len(score) and isinstance(score, list):
            raise ValueError("the same score twice")
        return score

    @field_validator("chain")
    @classmethod
    def _entries_are_one_filter_each(cls, chain: list[str | dict[str, Any]]) -> list[str | dict[str, Any]]:
        for place, entry in enumerate(chain):
            if isinstance(entry, dict) and len(entry) != 1:
                raise ValueError(f"entry {place} has {len(entry)} filters; write each on a line of its own")
        return chain


class FilterFileParams(Block):
    """What `photocritic filter` reads of params.yaml."""

    seed: Seed
    language: LanguageParams
    filter: FilterParams
