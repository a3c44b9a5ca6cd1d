"""Texts that praise or damn rather than describe."""

from typing import Annotated

from pydantic import Field

from photocritic.config import Block
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts

TOO_POSITIVE, TOO_NEGATIVE = "too_positive", "too_negative"
Compound = Annotated[float, Field(ge=-1.0, le=1.0)]


class Polarity(Filter):
    """Rejects texts of a very positive or very negative mood, by VADER's compound score."""

    paper = "CC 3"
    reasons = (TOO_POSITIVE, TOO_NEGATIVE)

    class Options(Block):
        """The lowest and the highest compound score, inclusive, of -1 (damning) to 1 (praising).

        CC judges by Google's sentiment scores and gives no numbers. Of 2,500 Flickr8k captions, plain descriptions,
        VADER gives none more than 0.79 or less than -0.70; praise in photo comments reaches 0.89.
        """

        lowest: Compound = -0.8
        highest: Compound = 0.8

    options: Options

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge the rows that are still kept."""
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

        analyser = SentimentIntensityAnalyzer()
        reasons = [""] * len(batch)
        for row in batch.remaining:
            reasons[row] = self._reason(float(analyser.polarity_scores(batch.texts[row])["compound"]))
        return Verdicts(reasons)

    def _reason(self, compound: float) -> str:
        if compound > self.options.highest:
            return TOO_POSITIVE
        return TOO_NEGATIVE if compound < self.options.lowest else ""
