"""The table of topics."""

import pyarrow as pa

from photocritic.tables.relations import wrong_width
from photocritic.tables.table import VECTOR, ForeignKey, Table
from photocritic.validation.checks import has_rows, not_blank, shares

TOPICS = Table(
    name="topics",
    row="a photograph's topics, which are a distribution",
    columns=pa.schema([pa.field("image_id", pa.string(), nullable=False), pa.field("topics", VECTOR, nullable=False)]),
    key=("image_id",),
    checks=(has_rows(), *not_blank("image_id"), *shares("topics")),
    public=("image_id",),
    foreign_keys=(ForeignKey("image_id", "images"),),
    fits=lambda path, params: wrong_width(path, "topics", params.lda.topics, "lda.topics"),
)
