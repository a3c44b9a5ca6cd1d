"""The interface of a filter: a batch of comments in, a verdict with a reason per row out."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from photocritic.config import Block, FilterParams
from photocritic.filtering.comment_batch import CommentBatch


@dataclass
class Verdicts:
    """A filter's verdicts on a batch; what it leaves out stays as it was.

    Attributes
    ----------
    reasons : list of str, optional
        A row's reason for rejection; empty to keep it.
    texts : list of str, optional
        The texts that take the place of the batch's, a text a row.
    columns : dict of str to list
        The columns that the filter adds (`Filter.adds`), a value a row.
    """

    reasons: list[str] | None = None
    texts: list[str] | None = None
    columns: dict[str, list[Any]] = field(default_factory=dict)


class NoOptions(Block):
    """Options of a filter that has none."""


class Filter(ABC):
    """One way to reject or to rewrite comments; `photocritic filters` shows the first line of its docstring.

    Parameters
    ----------
    options : Block
        The filter's own parameters, of its class `Options`.
    params : FilterParams
        The section `filter` of params.yaml.

    Attributes
    ----------
    paper : str
        Where it comes from: paper and section.
    reasons : tuple of str
        Every reason that it can return.
    rejects_styled : bool
        Whether stylised captions are rejected as well: by filters that ask for what any caption needs (words, English,
        a photograph that may be shown). Other filters ask whether a text is a factual caption, and keep them.
    reads : tuple of str
        The columns that it reads and that filters before it must add.
    adds : dict of str to pyarrow.DataType
        The columns that it adds for the filters after it; `form` and `score` are written to the captions table.
    """

    paper: ClassVar[str] = ""
    reasons: ClassVar[tuple[str, ...]] = ()
    rejects_styled: ClassVar[bool] = False
    reads: ClassVar[tuple[str, ...]] = ()
    adds: ClassVar[dict[str, pa.DataType]] = {}
    Options: ClassVar[type[Block]] = NoOptions

    def __init__(self, options: Block, params: FilterParams) -> None:
        self.options = options
        self.params = params

    @abstractmethod
    def judge(self, batch: CommentBatch) -> Verdicts:
        """Return a verdict on each row of a batch; rows that an earlier filter rejected may be skipped."""


class FittedFilter(Filter):
    """A filter that must see the whole corpus before it judges.

    Batches are observed in any order and by any process; what was observed is then combined once, in the order of the
    batches, into files that every process loads.
    """

    @abstractmethod
    def observe(self, batch: CommentBatch) -> pa.Table:
        """Return what the whole corpus must know of a batch; rejected rows carry their reason."""

    @abstractmethod
    def combine(self, observed: list[Path], folder: Path) -> None:
        """Combine what was observed.

        Parameters
        ----------
        observed : list of Path
            An Arrow file a batch, in the order of the batches; to be streamed (`out_of_core.stream_arrow`).
        folder : Path
            An empty folder for what `load` needs.
        """

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Load what `combine` wrote."""


def apply(rule: Filter, batch: CommentBatch) -> CommentBatch:
    """Judge a batch and enter the verdicts; a row keeps the first reason that rejected it.

    A stylised caption that the filter would reject, but does not (`Filter.rejects_styled`), keeps its text.
    """
    verdicts = rule.judge(batch)
    reasons, texts = verdicts.reasons, verdicts.texts
    if reasons is not None and not rule.rejects_styled:
        for row, styled in enumerate(batch.styled):
            if styled and reasons[row]:
                reasons[row] = ""
                if texts is not None:
                    texts[row] = batch.texts[row]
    if reasons is not None:
        batch.reasons = [old or new for old, new in zip(batch.reasons, reasons, strict=True)]
    if texts is not None:
        batch.rewrite(texts)
    batch.columns |= verdicts.columns
    return batch
