"""A batch of comments on its way through the filters, and what filters may ask about its texts and photographs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from photocritic import tables
from photocritic.config import LanguageParams
from photocritic.filtering.informativeness import ngrams as ngrams_of
from photocritic.text import Tagged, Tagger, caption_tokens, tagger

if TYPE_CHECKING:
    from photocritic.text import Parser, Word


class Annotator:
    """The language pipeline of a chain of filters; each part is loaded at its first use.

    Parameters
    ----------
    params : LanguageParams
        Which pipeline.

    Raises
    ------
    ParamsError
        At first use, where the pipeline cannot be loaded or lacks what is asked of it.
    """

    def __init__(self, params: LanguageParams) -> None:
        self._model = params.model

    @cached_property
    def _tagger(self) -> Tagger:
        return tagger(self._model)

    @cached_property
    def _parser(self) -> "Parser":
        from photocritic.text import Parser

        return Parser(self._model)

    def tag(self, texts: Sequence[str]) -> list[Tagged]:
        """Return words, Penn Treebank tags and lemmas of each text."""
        return self._tagger.tag(texts) if texts else []

    def parse(self, texts: Sequence[str]) -> "list[list[Word]]":
        """Return the dependency parse and the named entities of each text."""
        return list(self._parser.parse(texts)) if texts else []


class ImageRecord(NamedTuple):
    """A photograph as the images table describes it.

    Attributes
    ----------
    width, height : int
        Pixels; 0 where only text is at hand.
    format : str
        Pillow's name; empty where only text is at hand.
    split : str
        train, val or test.
    labels : list of str
        The corpus's own class labels.
    phash : int or None
        Perceptual hash of 64 bits; photographs that look alike differ in few. None where only text is at hand.
    """

    width: int
    height: int
    format: str
    split: str
    labels: list[str]
    phash: int | None


_COLUMNS = ["image_id", *ImageRecord._fields]
_UNKNOWN = ImageRecord(0, 0, "", "train", [], None)


class ImageTable:
    """The images table, looked up by image; it is read at the first look-up.

    Parameters
    ----------
    path : Path or None
        The images table; without one nothing is known of any image.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def get(self, image_id: str) -> ImageRecord:
        """Return what is known of an image."""
        return self._records.get(image_id, _UNKNOWN)

    @cached_property
    def _records(self) -> dict[str, ImageRecord]:
        if self._path is None:
            return {}
        records: dict[str, ImageRecord] = {}
        for batch in tables.scan("images", self._path, _COLUMNS):
            columns = (batch.column(name).to_pylist() for name in _COLUMNS)
            records |= {name: ImageRecord(*values) for name, *values in zip(*columns, strict=True)}
        return records


@dataclass
class CommentBatch:
    """Comments on their way through the filters.

    Attributes
    ----------
    start : int
        The first row's number (`out_of_core.ROW`).
    rows : pyarrow.Table
        The comments table's columns and `sentence`, a row a comment or a sentence (`comment_sentences.split_comments`).
    annotator : Annotator
        Tags and parses texts.
    images : ImageTable
        What is known of the comments' images.
    texts : list of str
        Each comment's text as the filters before have left it.
    reasons : list of str
        The first reason that rejected each comment; empty where none has yet.
    columns : dict of str to list
        The columns that filters have added (`Filter.adds`), a value a comment.
    """

    start: int
    rows: pa.Table
    annotator: Annotator
    images: ImageTable
    texts: list[str]
    reasons: list[str]
    columns: dict[str, list[Any]] = field(default_factory=dict)
    _tagged: dict[int, Tagged] = field(default_factory=dict, repr=False)
    _ngrams: dict[int, list[str]] = field(default_factory=dict, repr=False)
    _tokens: dict[int, list[str]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.reasons)

    @cached_property
    def styled(self) -> list[bool]:
        """Which comments are stylised captions: material for augmentation, no factual captions (see `apply`)."""
        styled: list[bool] = tables.STYLED.mask(self.rows).to_pylist()
        return styled

    @cached_property
    def comments(self) -> NDArray[np.int64]:
        """Each row's comment, as the place of its first sentence; every row's own where comments are judged whole."""
        first = self.rows.column("sentence").to_numpy() == 0
        return np.maximum.accumulate(np.where(first, np.arange(len(self)), 0))

    @cached_property
    def image_ids(self) -> list[str]:
        """Each comment's image."""
        ids: list[str] = self.rows.column("image_id").to_pylist()
        return ids

    @property
    def remaining(self) -> list[int]:
        """The rows that no filter has rejected yet."""
        return [row for row, reason in enumerate(self.reasons) if not reason]

    def column(self, name: str, missing: Any = None) -> list[Any]:
        """Return the values of a column that filters add, or `missing` for each comment where none has added it yet."""
        return self.columns.get(name, [missing] * len(self))

    def tokens(self) -> list[list[str]]:
        """Return every text's words as captioners and metrics read them; a text is split once."""
        for row in range(len(self)):
            if row not in self._tokens:
                self._tokens[row] = caption_tokens(self.texts[row])
        return [self._tokens[row] for row in range(len(self))]

    def tagged(self) -> list[Tagged]:
        """Return every text's words with their tags and lemmas; a text is tagged once."""
        missing = [row for row in range(len(self)) if row not in self._tagged]
        self._tagged.update(zip(missing, self.annotator.tag([self.texts[row] for row in missing]), strict=True))
        return [self._tagged[row] for row in range(len(self))]

    def ngrams(self) -> list[list[str]]:
        """Return each text's unigrams and bigrams (`informativeness.ngrams`); those of a text are made once."""
        missing = [row for row in range(len(self)) if row not in self._ngrams]
        if missing:
            tagged = self.tagged()
            self._ngrams.update((row, ngrams_of(tagged[row])) for row in missing)
        return [self._ngrams[row] for row in range(len(self))]

    @property
    def has_ngrams(self) -> bool:
        """Whether all n-grams are at hand."""
        return len(self._ngrams) == len(self)

    def set_ngrams(self, ngrams: list[list[str]]) -> None:
        """Set n-grams that were made of the same texts before."""
        self._ngrams = dict(enumerate(ngrams))

    def select(self, rows: list[int]) -> "CommentBatch":
        """Return some of the comments, whose rows then no longer follow each other from `start` on."""
        return CommentBatch(
            self.start, self.rows.take(pa.array(rows, pa.int64())), self.annotator, self.images,
            [self.texts[row] for row in rows], [self.reasons[row] for row in rows],
            {name: [values[row] for row in rows] for name, values in self.columns.items()},
        )  # fmt: skip

    def rewrite(self, texts: list[str]) -> None:
        """Replace the texts, and drop what was computed from a text that changes."""
        for row, (old, new) in enumerate(zip(self.texts, texts, strict=True)):
            if old != new:
                self._tagged.pop(row, None)
                self._ngrams.pop(row, None)
                self._tokens.pop(row, None)
        self.texts = texts
