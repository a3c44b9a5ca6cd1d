"""The interface of a filter: a batch of comments in, a verdict with a reason per row out; and the chain of them."""

import difflib
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from inspect import getdoc
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import ValidationError

from photocritic.config import Block, FilterParams
from photocritic.core import plugins
from photocritic.core.errors import ParamsError
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
    counted : dict of str to str
        Those of its columns, of True and False, whose number of True is a metric of the run; and what the log says of
        such comments where there are any: "3 of 20 comments ...".
    """

    paper: ClassVar[str] = ""
    reasons: ClassVar[tuple[str, ...]] = ()
    rejects_styled: ClassVar[bool] = False
    reads: ClassVar[tuple[str, ...]] = ()
    adds: ClassVar[dict[str, pa.DataType]] = {}
    counted: ClassVar[dict[str, str]] = {}
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
    batches, into files that every process loads. Where `filter.fit` is `train`, `observe` is asked about the comments
    of training images alone, but for filters that decide on each row.

    Attributes
    ----------
    decides : bool
        Whether `combine` decides on each row, so that it must be shown all of them; it learns from the rows that
        `learns_from` names.
    """

    decides: ClassVar[bool] = False

    def learns_from(self, batch: CommentBatch) -> list[bool]:
        """Return which comments the filter is fitted on: all of them, or those of training images (`filter.fit`)."""
        if self.params.fit == "all":
            return [True] * len(batch)
        return [batch.images.get(image_id).split == "train" for image_id in batch.image_ids]

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


def observe(rule: FittedFilter, batch: CommentBatch) -> pa.Table:
    """Return what a filter observes of a batch, or of the part of it that the filter is fitted on."""
    rows = [row for row, wanted in enumerate(rule.learns_from(batch)) if wanted]
    return rule.observe(batch if rule.decides or len(rows) == len(batch) else batch.select(rows))


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


def available() -> list[str]:
    """Return the names of all filters, sorted."""
    return list(plugins.available("filter"))


def find(name: str) -> type[Filter]:
    """Return the class of a filter; raises ParamsError where there is none of this name."""
    found: type[Filter] = plugins.find("filter", name, "filter.chain")
    return found


def chain(params: FilterParams) -> list[Filter]:
    """Return the filters of `params.chain`, in the order in which they judge.

    Raises
    ------
    ParamsError
        An unknown filter or option, an impossible value, or a filter that reads a column which no filter before it
        adds; the message names the place in the chain.
    """
    made: list[Filter] = []
    for position, entry in enumerate(params.chain):
        ((name, options),) = {entry: {}}.items() if isinstance(entry, str) else entry.items()
        kind = find(name)
        if missing := set(kind.reads) - {column for rule in made for column in rule.adds}:
            raise ParamsError(
                f"filter.chain[{position}].{name}: reads {', '.join(sorted(missing))}, which no filter before it adds; "
                f"put one before it that does ({', '.join(_adding(missing))})"
            )
        try:
            made.append(kind(kind.Options.model_validate(options or {}), params))
        except ValidationError as error:
            raise ParamsError(
                "; ".join(_explain(kind, position, name, problem) for problem in error.errors())
            ) from None
    return made


def summary(name: str) -> str:
    """Return the first line of a filter's docstring."""
    return (getdoc(find(name)) or "").partition("\n")[0]


def _adding(columns: set[str]) -> list[str]:
    return [name for name in available() if columns & find(name).adds.keys()]


def _explain(kind: type[Filter], position: int, name: str, problem: object) -> str:
    assert isinstance(problem, dict)
    key = ".".join(str(part) for part in problem["loc"])
    place = f"filter.chain[{position}].{name}.{key}"
    if problem["type"] == "extra_forbidden":
        near = difflib.get_close_matches(key, kind.Options.model_fields, n=1, cutoff=0.0)
        return f"{place}: unknown option" + (f"; did you mean '{near[0]}'?" if near else "")
    return f"{place}: {str(problem['msg']).removeprefix('Value error, ')} (got {problem['input']!r})"
