"""The contract of a filter: batches of comments in, a verdict with a reason per row out."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa


@dataclass
class CommentBatch:
    """Comments on their way through the filters.

    Attributes
    ----------
    rows : pyarrow.Table
        The comments table's columns, unchanged.
    cleaned : list of str
        Each comment's text after `cleaning.clean`.
    tokens : list of list of str
        Its tokens (`language.caption_tokens`).
    ngrams : list of list of str
        Its unigrams and bigrams (`composition.ngrams`).
    scores : list of float
        Informativeness (AIC Eq. 2), once that filter has judged.
    reasons : list of str
        The first reason that rejected each comment; empty where none has yet.
    styled : list of bool
        Whether the comment is a stylised caption: scarce, and no critique, so that rules on content leave it alone.
    """

    rows: pa.Table
    cleaned: list[str]
    tokens: list[list[str]]
    ngrams: list[list[str]]
    scores: list[float]
    reasons: list[str]
    styled: list[bool] = field(init=False)

    def __post_init__(self) -> None:
        self.styled = [style is not None for style in self.rows.column("style").to_pylist()]

    def __len__(self) -> int:
        return len(self.reasons)


@dataclass
class Verdicts:
    """What a filter says about a batch.

    Attributes
    ----------
    reasons : list of str
        A row's reason for rejection; empty to keep it.
    scores : list of float, optional
        Scores that the filter adds to the rows.
    """

    reasons: list[str]
    scores: list[float] | None = None


class Filter(Protocol):
    """One way to reject comments.

    Attributes
    ----------
    reasons : tuple of str
        Every reason it can give.
    fits : bool
        Whether it must see the whole corpus before it judges.
    """

    reasons: tuple[str, ...]
    fits: bool

    def fit(self, batches: Iterable[CommentBatch]) -> None:
        """See the whole corpus once, streaming; rows that an earlier filter rejected carry their reason."""

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge each row of a batch."""
        ...


class Rule:
    """Base of the filters that need no fitting."""

    fits: bool = False

    def fit(self, batches: Iterable[CommentBatch]) -> None:
        """Learn nothing."""


def apply(rule: Filter, batch: CommentBatch) -> CommentBatch:
    """Judge a batch and enter the verdicts; a row keeps the first reason that rejected it."""
    verdicts = rule.judge(batch)
    batch.reasons = [old or new for old, new in zip(batch.reasons, verdicts.reasons, strict=True)]
    if verdicts.scores is not None:
        batch.scores = verdicts.scores
    return batch
