"""Comments too short to say something, or too long to be a caption."""

from pydantic import model_validator

from photocritic.config import Block
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts

TOO_SHORT, TOO_LONG = "too_few_tokens", "too_many_tokens"


class Length(Filter):
    """Rejects texts of fewer or more tokens than given (AIC's authors asked for at least 5)."""

    paper = "AIC 3, an option of its authors"
    reasons = (TOO_SHORT, TOO_LONG)

    class Options(Block):
        """Fewest and most tokens, inclusive; longer comments are essays that no captioner here could learn."""

        min_tokens: int = 3
        max_tokens: int = 60

        @model_validator(mode="after")
        def _leaves_room(self) -> "Length.Options":
            if not 0 <= self.min_tokens <= self.max_tokens:
                raise ValueError("min_tokens must lie between 0 and max_tokens")
            return self

    options: Options

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the number of tokens."""
        return Verdicts([self._reason(len(tokens)) for tokens in batch.tokens()])

    def _reason(self, length: int) -> str:
        if length < self.options.min_tokens:
            return TOO_SHORT
        return TOO_LONG if length > self.options.max_tokens else ""
