"""The table of edges between canonical forms and images: the association graph (Déjà 2)."""

import pyarrow as pa

from photocritic.tables.table import ForeignKey, Table
from photocritic.validation.checks import among, not_blank

EDGES = Table(
    name="edges",
    row="a comment that joins a form and an image; a paraphrase may be joined to an image of others",
    columns=pa.schema(
        [
            pa.field("form", pa.string(), nullable=False),
            pa.field("image_id", pa.string(), nullable=False),
            pa.field("comment_id", pa.string(), nullable=False),
            pa.field("text", pa.string(), nullable=False),  # this comment's own wording
            pa.field("type", pa.string(), nullable=False),  # original or paraphrase
        ]
    ),
    key=("comment_id", "form"),
    checks=(*not_blank("form", "image_id", "comment_id"), among("type", ["original", "paraphrase"])),
    public=("image_id", "type"),
    foreign_keys=(ForeignKey("image_id", "images"),),
)
