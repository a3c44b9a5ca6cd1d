"""The table of content words, which a head of the CNN learns."""

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from photocritic.tables.relations import no_rows, wrong_width
from photocritic.tables.table import VECTOR, ForeignKey, Table
from photocritic.validation import Failure
from photocritic.validation.checks import not_blank, shares

if TYPE_CHECKING:
    from photocritic.config import Params


def _unfit(path: Path, params: "Params") -> list[Failure]:
    """Return what the head of words cannot learn from, where there is one."""
    if not params.lda.words or params.cnn_pretrain.words_weight <= 0:
        return []
    return [
        *no_rows(path, "which a head of the CNN learns; or set lda.words to 0"),
        *wrong_width(path, "words", params.lda.words, "lda.words", at_most=True),
    ]


WORDS = Table(
    name="words",
    row="a photograph's content words, as shares; there are none where no head learns them",
    columns=pa.schema([pa.field("image_id", pa.string(), nullable=False), pa.field("words", VECTOR, nullable=False)]),
    key=("image_id",),
    checks=(*not_blank("image_id"), *shares("words")),
    public=("image_id",),
    foreign_keys=(ForeignKey("image_id", "images"),),
    fits=_unfit,
)
