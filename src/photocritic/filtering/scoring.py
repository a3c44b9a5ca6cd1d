"""Judging new comments against a vocabulary that the filter stage has fitted."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from photocritic.filtering import registry
from photocritic.filtering.contract import apply
from photocritic.filtering.elongation import shortener
from photocritic.filtering.informativeness import Vocabulary
from photocritic.filtering.rules.informative import Informative
from photocritic.filtering.run import annotate, new_batch
from photocritic.language import Tagger, known_words
from photocritic.params import FilterParams, LanguageParams

_ROWS = 5_000


class Judged(NamedTuple):
    """A comment and the filters' verdict.

    Attributes
    ----------
    text : str
        As written.
    tokens, ngrams : list of str
        As in the captions table.
    score : float
        Informativeness (AIC Eq. 2).
    kept : bool
        Whether no filter rejected it.
    reason : str
        The first that did; empty where kept.
    """

    text: str
    tokens: list[str]
    ngrams: list[str]
    score: float
    kept: bool
    reason: str


def score_texts(texts: Iterable[str], ngrams: Path, params: FilterParams, language: LanguageParams) -> Iterator[Judged]:
    """Clean, score and judge new comments against a fitted vocabulary; streams.

    An n-gram that the table lacks counts as seen once in the fitted corpus.

    Parameters
    ----------
    texts : iterable of str
        Comments; none is a stylised caption.
    ngrams : Path
        The ngrams table of the filter stage.
    params : FilterParams
        Thresholds and which filters judge.
    language : LanguageParams
        The pipeline that tags; the one that the vocabulary was fitted with.

    Yields
    ------
    Judged
        Each comment in order.

    Raises
    ------
    ParamsError
        `language.model` cannot be loaded.
    TableError, GateFailed
        The ngrams table is missing, or does not pass its gate.
    """
    tagger, vocabulary = Tagger(language.model), Vocabulary.load(ngrams)
    shorten = shortener(vocabulary.words(), known_words())
    chain = [
        Informative(params.threshold, params.upper, vocabulary) if isinstance(rule, Informative) else rule
        for rule in registry.chain(params)
    ]
    stream = iter(texts)
    while some := list(islice(stream, _ROWS)):
        encodable = [text.encode("utf-8", "replace").decode("utf-8") for text in some]
        rows = pa.table({"text": pa.array(encodable, pa.string()), "style": pa.nulls(len(some), pa.string())})
        batch = new_batch(rows)
        batch.cleaned = [shorten(text) for text in batch.cleaned]
        annotate(batch, tagger)
        for rule in chain:
            apply(rule, batch)
        for text, tokens, found, score, reason in zip(
            some, batch.tokens, batch.ngrams, batch.scores, batch.reasons, strict=True
        ):
            yield Judged(text, tokens, found, score, not reason, reason)
