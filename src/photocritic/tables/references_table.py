"""The table of reference captions."""

import pyarrow as pa

from photocritic.tables.comments_table import IN_THEIR_COLUMNS
from photocritic.tables.table import ForeignKey, Table
from photocritic.validation.checks import not_blank, written

REFERENCES = Table(
    name="references",
    row="a caption that the corpus itself gives as right; a corpus may have none",
    columns=pa.schema(
        [
            pa.field("image_id", pa.string(), nullable=False),
            pa.field("text", pa.string(), nullable=False),
            pa.field("source", pa.string(), nullable=False),
        ]
    ),
    checks=(*not_blank("image_id", "source"), *written("text"), *IN_THEIR_COLUMNS),
    public=("image_id",),
    foreign_keys=(ForeignKey("image_id", "images"),),
)
