"""Comments of which cleaning leaves nothing: links, emoji or punctuation alone."""

from photocritic.filtering.contract import CommentBatch, Rule, Verdicts
from photocritic.params import FilterParams

EMPTY = "empty"


class Empty(Rule):
    """Rejects comments without any token."""

    reasons: tuple[str, ...] = (EMPTY,)

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the tokens."""
        return Verdicts([EMPTY if not tokens else "" for tokens in batch.tokens])


def create(_params: FilterParams) -> Empty:
    """Make the filter."""
    return Empty()
