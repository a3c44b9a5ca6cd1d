"""The contract of a filter: a batch of comments in, a verdict with a reason per row out."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pyarrow as pa

from photocritic import tables
from photocritic.config import Block, FilterParams
from photocritic.filtering.composition import ngrams as ngrams_of
from photocritic.text import Tagged, caption_tokens

if TYPE_CHECKING:
    from photocritic.filtering.annotation import Annotator
    from photocritic.filtering.pictures import Pictures
    from photocritic.text import Word


@dataclass
class CommentBatch:
    """Comments on their way through the filters.

    Attributes
    ----------
    start : int
        The first comment's row in the comments table.
    rows : pyarrow.Table
        The comments table's columns, unchanged.
    annotator : Annotator
        Tags and parses the texts when a filter asks for it.
    pictures : Pictures
        What is known of the comments' images.
    texts : list of str
        Each comment's text as the filters before have left it.
    scores : list of float
        The score that the filter `score` gave; 0 before.
    reasons : list of str
        The first reason that rejected each comment; empty where none has yet.
    forms : list of str
        Canonical forms (Déjà 2), once a filter has made them; empty before.
    entities : list of list of str
        Types of the entities that each text now names (CC 3), once a filter has resolved them; empty before.
    """

    start: int
    rows: pa.Table
    annotator: "Annotator"
    pictures: "Pictures"
    texts: list[str]
    scores: list[float]
    reasons: list[str]
    forms: list[str]
    entities: list[list[str]]
    _tagged: dict[int, Tagged] = field(default_factory=dict, repr=False)
    _parsed: "dict[int, list[Word]]" = field(default_factory=dict, repr=False)
    _ngrams: dict[int, list[str]] = field(default_factory=dict, repr=False)
    _tokens: dict[int, list[str]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.reasons)

    @cached_property
    def styled(self) -> list[bool]:
        """Tell which comments are stylised captions: material for augmentation, no factual captions (see `apply`)."""
        styled: list[bool] = tables.STYLED.mask(self.rows).to_pylist()
        return styled

    @cached_property
    def image_ids(self) -> list[str]:
        """Give each comment's image."""
        ids: list[str] = self.rows.column("image_id").to_pylist()
        return ids

    @property
    def alive(self) -> list[int]:
        """Give the rows that no filter has rejected yet."""
        return [row for row, reason in enumerate(self.reasons) if not reason]

    def tokens(self) -> list[list[str]]:
        """Give every text's words as captioners and metrics read them; a text is split once."""
        for row in range(len(self)):
            if row not in self._tokens:
                self._tokens[row] = caption_tokens(self.texts[row])
        return [self._tokens[row] for row in range(len(self))]

    def tagged(self) -> list[Tagged]:
        """Give every text's words with their tags and lemmas; a text is tagged once."""
        missing = [row for row in range(len(self)) if row not in self._tagged]
        self._tagged.update(zip(missing, self.annotator.tag([self.texts[row] for row in missing]), strict=True))
        return [self._tagged[row] for row in range(len(self))]

    def parsed(self, rows: Iterable[int]) -> "list[list[Word]]":
        """Give the syntax and the names of some rows' texts; a text is parsed once."""
        wanted = list(rows)
        missing = [row for row in wanted if row not in self._parsed]
        self._parsed.update(zip(missing, self.annotator.parse([self.texts[row] for row in missing]), strict=True))
        return [self._parsed[row] for row in wanted]

    def ngrams(self) -> list[list[str]]:
        """Give each text's unigrams and bigrams (`composition.ngrams`); those of a text are made once."""
        missing = [row for row in range(len(self)) if row not in self._ngrams]
        if missing:
            tagged = self.tagged()
            self._ngrams.update((row, ngrams_of(tagged[row])) for row in missing)
        return [self._ngrams[row] for row in range(len(self))]

    @property
    def has_ngrams(self) -> bool:
        """Tell whether all n-grams are at hand."""
        return len(self._ngrams) == len(self)

    def recall_ngrams(self, ngrams: list[list[str]]) -> None:
        """Take n-grams that were made of the same texts before."""
        self._ngrams = dict(enumerate(ngrams))

    def rewrite(self, texts: list[str]) -> None:
        """Replace the texts; what was known of a text that changes is forgotten."""
        for row, (old, new) in enumerate(zip(self.texts, texts, strict=True)):
            if old != new:
                self._tagged.pop(row, None)
                self._parsed.pop(row, None)
                self._ngrams.pop(row, None)
                self._tokens.pop(row, None)
        self.texts = texts


@dataclass
class Verdicts:
    """What a filter says about a batch; what it leaves out stays as it was.

    Attributes
    ----------
    reasons : list of str, optional
        A row's reason for rejection; empty to keep it.
    texts, scores, forms, entities : list, optional
        New values for the batch's columns of these names, a value a row.
    """

    reasons: list[str] | None = None
    texts: list[str] | None = None
    scores: list[float] | None = None
    forms: list[str] | None = None
    entities: list[list[str]] | None = None


class NoOptions(Block):
    """Options of a filter that has none."""


class Filter(ABC):
    """One way to reject or to rewrite comments; the first line of its docstring is what `photocritic filters` tells.

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
        Every reason it can give.
    rejects_styled : bool
        Whether stylised captions are rejected as well: by filters that ask for what any caption needs (words, English,
        a photograph that may be shown). Other filters ask whether a text is a factual caption, and spare them.
    """

    paper: ClassVar[str] = ""
    reasons: ClassVar[tuple[str, ...]] = ()
    rejects_styled: ClassVar[bool] = False
    Options: ClassVar[type[Block]] = NoOptions

    def __init__(self, options: Block, params: FilterParams) -> None:
        self.options = options
        self.params = params

    @abstractmethod
    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge each row of a batch; rows that an earlier filter rejected may be passed over."""


class FittedFilter(Filter):
    """A filter that must see the whole corpus before it judges.

    Batches are observed in any order and by any process; what was observed is then combined once, in the order of the
    batches, into files that every process loads.
    """

    @abstractmethod
    def observe(self, batch: CommentBatch) -> pa.Table:
        """Take from a batch what the whole must be known of; rejected rows carry their reason."""

    @abstractmethod
    def combine(self, observed: list[Path], folder: Path) -> None:
        """Put together what was observed.

        Parameters
        ----------
        observed : list of Path
            An Arrow file a batch, in the order of the batches; to be streamed (`shelf.read`).
        folder : Path
            An empty folder for what `load` needs.
        """

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Get ready to judge, with what `combine` wrote."""


def apply(rule: Filter, batch: CommentBatch) -> CommentBatch:
    """Judge a batch and enter the verdicts; a row keeps the first reason that rejected it.

    A stylised caption that the filter would reject, but does not (`Filter.rejects_styled`), stays as it was.
    """
    verdicts = rule.judge(batch)
    if not rule.rejects_styled:
        _spare(batch, verdicts)
    if verdicts.reasons is not None:
        batch.reasons = [old or new for old, new in zip(batch.reasons, verdicts.reasons, strict=True)]
    if verdicts.texts is not None:
        batch.rewrite(verdicts.texts)
    batch.scores = batch.scores if verdicts.scores is None else verdicts.scores
    batch.forms = batch.forms if verdicts.forms is None else verdicts.forms
    batch.entities = batch.entities if verdicts.entities is None else verdicts.entities
    return batch


def _spare(batch: CommentBatch, verdicts: Verdicts) -> None:
    """Take back what is said about stylised captions that would be rejected; their scores stand."""
    reasons = verdicts.reasons or []
    spared = [row for row, reason in enumerate(reasons) if reason and batch.styled[row]]
    for row in spared:
        reasons[row] = ""
        if verdicts.texts is not None:
            verdicts.texts[row] = batch.texts[row]
        if verdicts.entities is not None:
            verdicts.entities[row] = batch.entities[row]
