"""The table of what ingest has turned away."""

import pyarrow as pa

from photocritic.tables.table import Table
from photocritic.validation.checks import among, not_blank

QUARANTINE = Table(
    name="quarantine",
    row="a row or an image of the corpus that could not be used, and why; there may be none",
    columns=pa.schema(
        [
            pa.field("source", pa.string(), nullable=False),  # file
            pa.field("position", pa.string(), nullable=False),  # row number, JSON key or member name
            pa.field("kind", pa.string(), nullable=False),  # image, comment or reference
            pa.field("reason", pa.string(), nullable=False),
            pa.field("content", pa.string(), nullable=False),  # the row as far as it could be read
        ]
    ),
    checks=(*not_blank("source", "reason"), among("kind", ["image", "comment", "reference"])),
)
