"""Texts with words that nobody else writes."""

from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from photocritic.config import Block, Positive
from photocritic.core.errors import ParamsError
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import FittedFilter, Verdicts
from photocritic.filtering.out_of_core import count_values, merge_counts, read_arrow, stream_arrow, write_arrow
from photocritic.text import caption_tokens

RARE = "rare_token"
_COLUMN = "token"


class RareTokens(FittedFilter):
    """Rejects texts with a token that the corpus has fewer than 5 times, or that a given vocabulary lacks."""

    paper = "CC 3"
    reasons = (RARE,)

    class Options(Block):
        """The vocabulary: CC's own holds the types that the English Wikipedia has at least 5 times.

        `file` names such a list, a lower-case token a line; without one the corpus itself is counted. Tokens with
        digits are not looked up: ever new dates and numbers are no sign of undesirable text.
        """

        min_count: Positive = 5  # CC
        file: str = ""

    options: Options

    def observe(self, batch: CommentBatch) -> pa.Table:
        """Count the tokens of every text, of rejected ones too: what is a word does not depend on other filters."""
        found = [] if self.options.file else [token for text in batch.texts for token in _words(text)]
        return count_values(pa.array(found, pa.string()), _COLUMN)

    def combine(self, observed: list[Path], folder: Path) -> None:
        """Add up the counts, and keep the tokens that are frequent enough."""
        if not self.options.file:
            counts = merge_counts(stream_arrow(observed), _COLUMN)
            frequent = counts.filter(pc.greater_equal(counts.column("count"), self.options.min_count))
            write_arrow(folder / "vocabulary.arrow", frequent.select([_COLUMN]))

    def load(self, folder: Path) -> None:
        """Read the vocabulary."""
        self._folder = folder

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        if not self.options.file:
            return frozenset(read_arrow(self._folder / "vocabulary.arrow").column(_COLUMN).to_pylist())
        try:
            return frozenset(Path(self.options.file).read_text(encoding="utf-8").split())
        except OSError as error:
            raise ParamsError(f"rare_tokens.file: cannot read '{self.options.file}' ({error.strerror})") from error

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Look up every token."""
        return Verdicts(["" if self._vocabulary.issuperset(_words(text)) else RARE for text in batch.texts])


def _words(text: str) -> list[str]:
    return [token for token in caption_tokens(text) if token[-1].isalpha() and not any(map(str.isdigit, token))]
