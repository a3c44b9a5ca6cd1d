"""The table of n-grams."""

import pyarrow as pa

from photocritic.tables.relations import no_rows
from photocritic.tables.table import Table
from photocritic.validation.checks import among, between, not_blank

NGRAMS = Table(
    name="ngrams",
    row="a unigram or bigram of the corpus with its share of its order (AIC Eq. 1); few comments may have none",
    columns=pa.schema(
        [
            pa.field("ngram", pa.string(), nullable=False),  # lemmas; a bigram's are joined by "_"
            pa.field("order", pa.int8(), nullable=False),  # 1 or 2
            pa.field("count", pa.int64(), nullable=False),  # C_w of AIC Eq. 1
            pa.field("probability", pa.float64(), nullable=False),  # P(w) of AIC Eq. 1, within its order
        ]
    ),
    key=("order", "ngram"),
    checks=(
        *not_blank("ngram"),
        among("order", [1, 2]),
        between("count", 1, None),
        between("probability", 0, 1),
    ),
    fits=lambda path, _: no_rows(path, "of which topics are made; lower filter.min_count or add comments"),
)
