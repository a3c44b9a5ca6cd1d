"""Comments too short to say something, or too long to be a caption (AIC's authors asked for at least 5 tokens)."""

from photocritic.filtering.contract import CommentBatch, Rule, Verdicts
from photocritic.params import FilterParams

TOO_SHORT, TOO_LONG = "too_few_tokens", "too_many_tokens"


class Length(Rule):
    """Rejects comments of fewer or more tokens than given.

    Parameters
    ----------
    least, most : int
        Tokens, inclusive.
    """

    reasons: tuple[str, ...] = (TOO_SHORT, TOO_LONG)

    def __init__(self, least: int, most: int) -> None:
        self._least, self._most = least, most

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the number of tokens."""
        return Verdicts([self._reason(len(tokens)) for tokens in batch.tokens])

    def _reason(self, length: int) -> str:
        if length < self._least:
            return TOO_SHORT
        return TOO_LONG if length > self._most else ""


def create(params: FilterParams) -> Length:
    """Make the filter from min_tokens and max_tokens."""
    return Length(params.min_tokens, params.max_tokens)
