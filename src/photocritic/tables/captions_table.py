"""The table of captions, and its views: which captions are kept, factual, of a style or of a split."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from photocritic.tables.comments_table import CHECKS, COLUMNS
from photocritic.tables.table import ForeignKey, Table, TableView
from photocritic.tables.table_store import scan
from photocritic.validation import Failure
from photocritic.validation.checks import between, holds, no_names, reason_where_rejected

KEPT = TableView(("kept",), lambda rows: pc.fill_null(rows.column("kept"), False))
REJECTED = TableView(("kept",), lambda rows: pc.invert(KEPT.mask(rows)))
UNSTYLED = TableView(("style",), lambda rows: pc.is_null(rows.column("style")))  # of comments too
STYLED = TableView(("style",), lambda rows: pc.is_valid(rows.column("style")))
FACTUAL = KEPT & UNSTYLED


def of_style(style: str | None) -> TableView:
    """Return the view of the captions in a style; None is those in no style. Rejected ones are among them."""
    if style is None:
        return UNSTYLED
    return TableView(("style",), lambda rows: pc.fill_null(pc.equal(rows.column("style"), style), False))


def of_aspect(aspect: str) -> TableView:
    """Return the view of the captions, or comments, of an aspect: what follows the last colon of their source."""
    return TableView(("source",), lambda rows: pc.equal(_aspects(rows), aspect))


def aspects_in(path: Path) -> list[str]:
    """Return the aspects that the captions of a table are of, sorted."""
    found: set[str] = set()
    for batch in scan("captions", path, ["source"]):
        found.update(_aspects(batch).unique().to_pylist())
    return sorted(found - {""})


def _aspects(rows: pa.RecordBatch | pa.Table) -> pa.Array:
    """Return the aspect of each row (B,), empty where it is of none."""
    return pc.replace_substring_regex(rows.column("source"), r"(?s)^(?:[^:]*$|.*:)", "")


def of_split(split: str, images: Path) -> TableView:
    """Return the view of the captions, or of other rows, whose image is of a split of an images table."""
    splits = pa.Table.from_batches(scan("images", images, ["image_id", "split"]))
    ids = splits.filter(pc.equal(splits["split"], split))["image_id"].combine_chunks()
    return TableView(("image_id",), lambda rows: pc.is_in(rows.column("image_id"), value_set=ids))


def scan_outcomes(path: Path, columns: list[str]) -> Iterator[tuple[pa.Array, pa.RecordBatch]]:
    """Stream captions with how each fared in the filter.

    Parameters
    ----------
    path : Path
        The captions table.
    columns : list of str
        The columns wanted.

    Yields
    ------
    (pyarrow.Array, pyarrow.RecordBatch)
        `kept`, `kept, styled`, or the reason that rejected it, for each row (B,); and the rows.
    """
    for batch in scan("captions", path, list(dict.fromkeys([*columns, "kept", "style", "reason"]))):
        kept = pc.if_else(STYLED.mask(batch), "kept, styled", "kept")
        yield pc.if_else(KEPT.mask(batch), kept, batch["reason"]), batch.select(columns)


def _has_words_of_its_text(table: pa.Table) -> pa.Array:
    """Return whether each caption's words stand in its text, but for apostrophes, which are written in several ways."""
    texts = ((text or "").lower().replace("’", "'") for text in table.column("cleaned").to_pylist())
    words = table.column("tokens").to_pylist()
    own = [all(word in text for word in some or () if word) for text, some in zip(texts, words, strict=True)]
    return pa.array(own, pa.bool_())


def _sentences_out_of_order(path: Path) -> list[Failure]:
    """Return a failure where a comment's sentences are not 0, 1, 2, ... in rows that follow each other."""
    wrong, last = 0, ("", -1)
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(columns=["comment_id", "sentence"]):
            ids, places = batch["comment_id"].to_numpy(False), batch["sentence"].to_numpy(False)
            before = np.append([last[0]], ids)[:-1]
            expected = np.where(ids == before, np.append([last[1]], places)[:-1] + 1, 0)
            wrong += int((places != expected).sum())
            last = (ids[-1], places[-1]) if len(ids) else last
    return [Failure("each comment's sentences in order from 0 on", "sentence", f"{wrong} others")] if wrong else []


CAPTIONS = Table(
    name="captions",
    row="a comment, or a sentence of one, kept or rejected with a reason, never both",
    columns=pa.schema(
        [
            *COLUMNS,  # `text` of a sentence is that sentence as written
            pa.field(
                "sentence", pa.int32(), nullable=False
            ),  # place in the comment; 0 of a comment that is judged whole
            pa.field("cleaned", pa.string(), nullable=False),  # the text as the filters have left it
            pa.field("tokens", pa.list_(pa.string()), nullable=False),  # lower-case words, for captioners and metrics
            pa.field("ngrams", pa.list_(pa.string()), nullable=False),  # AIC's unigrams and bigrams, lemmas, for LDA
            pa.field("form", pa.string()),  # canonical form (Déjà 2); null where the chain makes none
            pa.field("score", pa.float64(), nullable=False),  # sum of -log p (AIC Eq. 2)
            pa.field("kept", pa.bool_(), nullable=False),
            pa.field("reason", pa.string(), nullable=False),  # empty where kept
        ]
    ),
    key=("comment_id", "sentence"),
    find_failures=_sentences_out_of_order,
    checks=(
        *CHECKS,
        between("sentence", 0, None),
        between("score", 0.0, 1e6),
        reason_where_rejected("kept"),
        holds("tokens_are_of_the_text", "words that stand in the cleaned text", _has_words_of_its_text),
        no_names("form"),
    ),
    public=("image_id",),
    foreign_keys=(ForeignKey("image_id", "images"),),
)
