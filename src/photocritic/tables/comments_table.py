"""The table of comments, and what holds wherever people have written something."""

import numpy as np
import pyarrow as pa

from photocritic.tables.table import ForeignKey, Table
from photocritic.validation.checks import few_values, has_rows, holds, not_blank, written

SOURCES = 20  # that comments may have, however few their authors are
DECODED = 0.95  # share of texts that are not UTF-8 read as something else; cleaning repairs the few that are
STYLES = 100  # different ones at most; a column of names has more


def _is_decoded(table: pa.Table) -> pa.Array:
    from ftfy.badness import is_bad

    return pa.array([not is_bad(text or "") for text in table.column("text").to_pylist()], pa.bool_())


def _more_texts_than_sources(table: pa.Table) -> pa.Array:
    """Return whether what was written differs more than where it was written, as it does unless the two are swapped."""
    return _everywhere(table, _different(table, "text") >= _different(table, "source"))


def _few_sources(table: pa.Table) -> pa.Array:
    authors = _different(table, "author_id") if "author_id" in table.column_names else 0
    return _everywhere(table, not authors or _different(table, "source") <= max(SOURCES, authors))


def _different(table: pa.Table, column: str) -> int:
    return len(table.column(column).unique().drop_null())


def _everywhere(table: pa.Table, does: bool) -> pa.Array:
    return pa.array(np.full(table.num_rows, does))


# What was written, by whom and where are not in each other's columns.
IN_THEIR_COLUMNS = (
    holds(
        "texts_are_more_than_sources",
        "no fewer different texts than sources (are the two swapped?)",
        _more_texts_than_sources,
        of_sample=True,
    ),
    holds(
        "sources_are_few",
        "no more different sources than authors (are the two swapped?)",
        _few_sources,
        of_sample=True,
    ),
    holds(
        "text_is_decoded_rightly",
        f"at most {1 - DECODED:.0%} of the texts in UTF-8 that was read as another encoding",
        _is_decoded,
        mostly=DECODED,
        of_sample=True,
    ),
)

COLUMNS = pa.schema(
    [
        pa.field("comment_id", pa.string(), nullable=False),
        pa.field("image_id", pa.string(), nullable=False),
        pa.field("author_id", pa.string()),
        pa.field("text", pa.string(), nullable=False),
        pa.field("style", pa.string()),  # null where the comment is factual
        pa.field("source", pa.string(), nullable=False),
    ]
)
CHECKS = (
    has_rows(),
    *not_blank("comment_id", "image_id", "source", "style"),
    *written("text"),
    few_values("style", STYLES),
    *IN_THEIR_COLUMNS,
)

COMMENTS = Table(
    name="comments",
    row="what one person wrote under a photograph",
    columns=COLUMNS,
    key=("comment_id",),
    checks=CHECKS,
    public=("image_id",),
    foreign_keys=(ForeignKey("image_id", "images"),),
)
