"""Texts that are not written as sentences are: capitals missing at the start, or everywhere."""

import re

from photocritic.config import Block, Share
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts

NOT_CAPITALISED, TOO_MANY = "first_word_not_capitalised", "too_many_capitalised"
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


class Capitalisation(Filter):
    """Rejects texts whose first word is not capitalised, or too many of whose words are."""

    paper = "CC 3"
    reasons = (NOT_CAPITALISED, TOO_MANY)

    class Options(Block):
        """Whether the first word must be capitalised, and the highest share of capitalised words.

        CC gives no number. In its own examples up to 0.67 of the words are capitalised, since they name people,
        places and months; titles in which every noun and verb is capitalised have more.
        """

        first: bool = True
        max_share: Share = 0.75

    options: Options

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the words as written; a number at the start has no case and passes."""
        return Verdicts([self._reason(_WORD.findall(text)) for text in batch.texts])

    def _reason(self, words: list[str]) -> str:
        if self.options.first and words and words[0][0].islower():
            return NOT_CAPITALISED
        cased = [word for word in words if word[0].isalpha()]
        capitalised = sum(not word[0].islower() for word in cased)
        return TOO_MANY if capitalised > self.options.max_share * len(cased) else ""
