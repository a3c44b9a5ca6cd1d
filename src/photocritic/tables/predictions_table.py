"""The table of predictions."""

import pyarrow as pa

from photocritic.tables.table import ForeignKey, Table
from photocritic.validation.checks import between, has_rows, not_blank

PREDICTIONS = Table(
    name="predictions",
    row="the caption that a variant generates or retrieves for an image",
    columns=pa.schema(
        [
            pa.field("image_id", pa.string(), nullable=False),
            pa.field("variant", pa.string(), nullable=False),
            pa.field("caption", pa.string(), nullable=False),
            pa.field("logprob", pa.float64(), nullable=False),
        ]
    ),
    key=("variant", "image_id"),
    checks=(has_rows(), *not_blank("image_id", "variant"), between("logprob", None, 1e-6)),
    public=("image_id", "variant"),
    foreign_keys=(ForeignKey("image_id", "images"),),
)
