"""The filter stage: comments in, every one of them out again, kept or with the first reason that rejected it."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from photocritic import logs, tables
from photocritic.errors import CorpusError
from photocritic.filtering import registry
from photocritic.filtering.cleaning import clean
from photocritic.filtering.composition import ngrams as ngrams_of
from photocritic.filtering.contract import CommentBatch, Filter, apply
from photocritic.filtering.elongation import count_words, shortener
from photocritic.filtering.rules.informative import Informative
from photocritic.filtering.spill import Spill
from photocritic.filtering.summary import Summary
from photocritic.language import Tagger, caption_tokens, known_words
from photocritic.outcome import Outcome
from photocritic.params import FilterParams, LanguageParams

_ROWS = 5_000  # comments in memory at a time


def filter_comments(
    comments: Path, captions: Path, ngrams: Path, params: FilterParams, language: LanguageParams
) -> Outcome:
    """Clean, score and judge every comment (AIC section 3).

    Streams; memory is bounded by one batch and the vocabulary. The comments are read once and set aside on disk between
    the passes, so that they are tagged once.

    Parameters
    ----------
    comments : Path
        The comments table.
    captions : Path
        The captions table to write: every comment in its order, kept or with its reason; `text` stays as it was,
        `tokens` and `ngrams` come from the cleaned text.
    ngrams : Path
        The table of n-grams and their probabilities to write (Eq. 1), those seen at least `params.min_count` times.
    params : FilterParams
        Thresholds and which filters judge.
    language : LanguageParams
        The pipeline that tags.

    Returns
    -------
    Outcome
        Counts by reason, kept share, mean score; the scores' distribution as plot and figure.

    Raises
    ------
    CorpusError
        There are no comments.
    ParamsError
        `language.model` cannot be loaded.
    TableError, GateFailed
        The comments table, or what was written, does not pass its gate.
    """
    comments_read = tables.count(comments)
    tagger, chain = Tagger(language.model), registry.chain(params)
    summary = Summary(params, [reason for rule in chain for reason in rule.reasons])
    with tempfile.TemporaryDirectory(prefix="photocritic-filter-") as folder:
        batches = _prepared(comments, tagger, Path(folder))
        for number, rule in enumerate(chain):
            batches = _judged(rule, batches, Path(folder) / f"{number}.arrow")
        judged = (_captions(batch) for batch in summary.watch(batches))
        rows = tables.save("captions", captions, judged, rows=comments_read)
    vocabulary = next(rule.vocabulary for rule in chain if isinstance(rule, Informative))
    tables.save("ngrams", ngrams, vocabulary.table(params.min_count))
    return summary.outcome(rows, vocabulary)


def annotate(batch: CommentBatch, tagger: Tagger) -> CommentBatch:
    """Fill in tokens and n-grams from the cleaned text."""
    batch.tokens = [caption_tokens(text) for text in batch.cleaned]
    batch.ngrams = [ngrams_of(tokens) for tokens in tagger.tag(batch.cleaned)]
    return batch


def new_batch(rows: pa.Table) -> CommentBatch:
    """Make a batch of comments of which nothing is known yet but the cleaned text."""
    count = rows.num_rows
    cleaned = [clean(text) for text in rows.column("text").to_pylist()]
    blank: list[list[str]] = [[] for _ in range(count)]
    return CommentBatch(rows, cleaned, blank, blank, [0.0] * count, [""] * count)


def _prepared(comments: Path, tagger: Tagger, folder: Path) -> Iterator[CommentBatch]:
    """Clean all comments, then shorten elongated words by the corpus's own, then tag."""
    words: Counter[str] = Counter()
    spill = Spill(folder / "cleaned.arrow")
    scanned = (new_batch(pa.table(batch)) for batch in tables.scan("comments", comments, rows=_ROWS))
    for batch in spill.record(scanned):
        count_words(batch.cleaned, words)
    if not words:
        raise CorpusError(f"{comments}: no comment with a word in it; check ingest.source and ingest.comments")
    shorten = shortener(words, known_words())
    for batch in logs.progress(spill.replay(), "Tagging comments"):
        batch.cleaned = [shorten(text) for text in batch.cleaned]
        yield annotate(batch, tagger)


def _judged(rule: Filter, batches: Iterable[CommentBatch], path: Path) -> Iterator[CommentBatch]:
    if rule.fits:
        spill = Spill(path)
        rule.fit(spill.record(batches))
        batches = spill.replay()
    for batch in batches:
        yield apply(rule, batch)


def _captions(batch: CommentBatch) -> pa.Table:
    table = batch.rows
    table = table.append_column("tokens", pa.array(batch.tokens, pa.list_(pa.string())))
    table = table.append_column("ngrams", pa.array(batch.ngrams, pa.list_(pa.string())))
    table = table.append_column("score", pa.array(batch.scores, pa.float64()))
    table = table.append_column("kept", pa.array([not reason for reason in batch.reasons], pa.bool_()))
    return table.append_column("reason", pa.array(batch.reasons, pa.string()))
