"""The table of scores."""

import pyarrow as pa

from photocritic.tables.table import ForeignKey, Table
from photocritic.validation.checks import between, has_rows, not_blank

SCORES = Table(
    name="scores",
    row="how a metric rates the prediction of a variant for an image",
    columns=pa.schema(
        [
            pa.field("image_id", pa.string(), nullable=False),
            pa.field("variant", pa.string(), nullable=False),
            pa.field("metric", pa.string(), nullable=False),
            pa.field("score", pa.float64(), nullable=False),
        ]
    ),
    key=("variant", "metric", "image_id"),
    checks=(has_rows(), *not_blank("image_id", "variant", "metric"), between("score", -1e3, 1e3)),
    public=("image_id", "variant", "metric"),
    foreign_keys=(ForeignKey("image_id", "images"),),
)
