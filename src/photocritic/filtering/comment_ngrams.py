"""The n-grams of new comments, as the filter makes them of a corpus's: for models that were fitted on those."""

import logging
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from photocritic.config import FilterFileParams, Params
from photocritic.core.errors import CorpusError
from photocritic.filtering import filter_interface
from photocritic.filtering.comment_batch import Annotator
from photocritic.filtering.filters.clean import Clean
from photocritic.filtering.informativeness import ngrams
from photocritic.ingest.admission import flaw_in_text
from photocritic.ingest.parsing import encoding
from photocritic.ingest.parsing.entries import TEXT
from photocritic.ingest.parsing.rows import SUFFIXES, Row, read_rows
from photocritic.text.cleaning import clean

PLAIN = ".txt"
_BATCH = 1000  # comments that are tagged together

log = logging.getLogger(__name__)


def comment_ngrams(comments: Path, params: FilterFileParams | Params) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield texts and n-grams of the comments of a file, some hundreds at a time.

    Texts are cleaned as `filter.chain` says. Typos stay: what is one, the filter learns from a whole corpus.

    Parameters
    ----------
    comments : Path
        A text file with one comment a line, or CSV, TSV or JSON Lines with a column `text`, `caption` or `comment`.
    params : FilterFileParams or Params
        The `filter` and `language` sections.

    Yields
    ------
    tuple of (list of str, list of list of str)
        Texts as they were written, and the n-grams of each (`informativeness.ngrams`). Rows without a text are passed
        over with a warning.

    Raises
    ------
    CorpusError
        The file cannot be read, or has no column of texts.
    """
    annotator = Annotator(params.language)
    cleaners = [rule.options for rule in filter_interface.chain(params.filter) if isinstance(rule, Clean)]
    waiting = _texts(comments)
    while texts := list(islice(waiting, _BATCH)):
        cleaned = texts
        for options in cleaners:
            cleaned = [clean(text, options) for text in cleaned]
        yield texts, list(map(ngrams, annotator.tag(cleaned)))


def _texts(comments: Path) -> Iterator[str]:
    lines = _lines(comments) if comments.suffix.lower() == PLAIN else _column(comments)
    unread = 0
    for text in lines:
        if text is None:
            unread += 1
        else:
            yield text
    if unread:
        log.warning("%s: %d rows have no text that can be read; they are passed over", comments, unread)


def _lines(comments: Path) -> Iterator[str | None]:
    with encoding.open_text(comments, newline=None) as stream:
        for line in encoding.lines(stream):
            if line.strip():
                yield None if flaw_in_text(line) else line.strip()


def _column(comments: Path) -> Iterator[str | None]:
    if comments.suffix.lower() not in SUFFIXES:
        known = ", ".join((PLAIN, *SUFFIXES))
        raise CorpusError(f"{comments}: '{comments.suffix}' is no known kind of file; bring one of {known}")
    for row in read_rows(comments, comments.name, "comment", needed=(TEXT,)):
        values = row.values if isinstance(row, Row) else {}
        found = next((values[name] for name in TEXT if name in values), None)
        yield found.strip() if isinstance(found, str) and not flaw_in_text(found) else None
