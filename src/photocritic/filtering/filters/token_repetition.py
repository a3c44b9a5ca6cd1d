"""Texts that say the same word again and again."""

from photocritic.config import Block, Share
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts
from photocritic.text import STOPWORDS, caption_tokens

REPETITIVE = "token_repetition"


class TokenRepetition(Filter):
    """Rejects texts with a high rate of repeated words, such as search terms in every combination."""

    paper = "CC 3"
    reasons = (REPETITIVE,)

    class Options(Block):
        """The highest share of content words that have stood before in the same text.

        CC gives no number. A third lets a caption name a thing twice ("a dog chases another dog"), and rejects
        "dress red dress long dress"; of 2,500 Flickr8k captions none exceeds 0.3. Stop words may repeat.
        """

        max_share: Share = 0.34

    options: Options

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the words that are no stop words."""
        return Verdicts([self._reason(text) for text in batch.texts])

    def _reason(self, text: str) -> str:
        words = [word for word in caption_tokens(text) if word not in STOPWORDS]
        repeated = len(words) - len(set(words))
        return REPETITIVE if repeated > self.options.max_share * len(words) else ""
