"""The table of canonical forms: one side of the association graph (Déjà 2)."""

import pyarrow as pa

from photocritic.tables.table import Table
from photocritic.validation.checks import among, at_least, between, not_blank

FORMS = Table(
    name="forms",
    row="a canonical form, with the caption that it is known by; a corpus may repeat none",
    columns=pa.schema(
        [
            pa.field("form", pa.string(), nullable=False),
            pa.field("caption", pa.string(), nullable=False),  # the most frequent wording
            pa.field("comments", pa.int64(), nullable=False),  # edges
            pa.field("images", pa.int64(), nullable=False),  # different ones
            pa.field("authors", pa.int64(), nullable=False),  # different ones, as far as they are known
            pa.field("tokens", pa.int64(), nullable=False),  # words of the caption
            pa.field("polarity", pa.string(), nullable=False),  # positive, negative or neutral
            pa.field("syntax", pa.string(), nullable=False),  # verb, prep, adj or none
        ]
    ),
    key=("form",),
    checks=(
        *not_blank("form", "caption"),
        between("images", 1, None),
        between("comments", 1, None),
        between("authors", 0, None),
        between("tokens", 0, None),
        at_least("comments", "images"),
        among("polarity", ["positive", "negative", "neutral"]),
        among("syntax", ["verb", "prep", "adj", "none"]),
    ),
    public=("polarity", "syntax"),
)
