"""The table of generated captions in a style (ERG)."""

import pyarrow as pa

from photocritic.tables.table import ForeignKey, Table
from photocritic.validation.checks import between, not_blank, reason_where_rejected

AUGMENTED = Table(
    name="augmented",
    row="a generated caption, accepted or rejected with a reason; a corpus may allow none",
    columns=pa.schema(
        [
            pa.field("image_id", pa.string(), nullable=False),
            pa.field("style", pa.string(), nullable=False),
            pa.field("caption", pa.string(), nullable=False),
            pa.field("phrase", pa.string(), nullable=False),  # the retrieved style phrase
            pa.field("factual", pa.string(), nullable=False),  # the factual caption it was built on
            pa.field("retrieval", pa.string(), nullable=False),  # i2i, t2t, i2t or t2i
            pa.field("similarity", pa.float64(), nullable=False),
            pa.field("perplexity", pa.float64(), nullable=False),
            pa.field("style_probability", pa.float64(), nullable=False),
            pa.field("accepted", pa.bool_(), nullable=False),
            pa.field("reason", pa.string(), nullable=False),  # empty where accepted
        ]
    ),
    checks=(
        *not_blank("image_id", "style"),
        between("similarity", -1.001, 1.001),
        between("style_probability", 0.0, 1.0),
        between("perplexity", 1.0, None),
        reason_where_rejected("accepted"),
    ),
    public=("image_id",),
    foreign_keys=(ForeignKey("image_id", "images"),),
)
