"""Comments of which cleaning leaves nothing: links, emoji or punctuation alone."""

from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts

EMPTY = "empty"


class Empty(Filter):
    """Rejects texts without any word."""

    paper = "AIC 3"
    reasons = (EMPTY,)
    rejects_styled = True

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the tokens."""
        return Verdicts(["" if tokens else EMPTY for tokens in batch.tokens()])
