"""Texts about what hardly any other text is about."""

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from photocritic.config import Block, Positive
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import FittedFilter, Verdicts
from photocritic.filtering.out_of_core import count_values, merge_counts, read_arrow, stream_arrow, write_arrow

RARE_TYPE = "rare_entity_type"
_COLUMN = "entity"


class EntityTypes(FittedFilter):
    """Rejects texts with an entity type that too few texts have; after `hypernyms`, which finds the types."""

    paper = "CC 3"
    reasons = (RARE_TYPE,)
    reads = ("entities",)

    class Options(Block):
        """The count that each type of a text must exceed among the kept texts.

        CC: over 100, so that a type of exactly 100 is rare; it had some 10 million candidates left (0.2% of 5 billion).
        """

        more_than: Positive = 100

    options: Options

    def observe(self, batch: CommentBatch) -> pa.Table:
        """Count in how many of the kept texts each type occurs."""
        types = batch.column("entities")
        found = [entity for row in batch.remaining for entity in sorted(set(types[row]))]
        return count_values(pa.array(found, pa.string()), _COLUMN)

    def combine(self, observed: list[Path], folder: Path) -> None:
        """Add up the counts, and keep the types that are frequent enough."""
        counts = merge_counts(stream_arrow(observed), _COLUMN)
        frequent = counts.filter(pc.greater(counts.column("count"), self.options.more_than))
        write_arrow(folder / "types.arrow", frequent.select([_COLUMN]))

    def load(self, folder: Path) -> None:
        """Read the frequent types."""
        self._frequent = frozenset(read_arrow(folder / "types.arrow").column(_COLUMN).to_pylist())

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Look up every type of each text; a text without any passes."""
        return Verdicts(["" if self._frequent.issuperset(types) else RARE_TYPE for types in batch.column("entities")])
