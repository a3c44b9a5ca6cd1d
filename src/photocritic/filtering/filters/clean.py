"""Generic cleaning of comments, which other filters build on."""

from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts
from photocritic.text.cleaning import Cleaning, clean


class Clean(Filter):
    """Takes out markup, links, emoji and repeated punctuation, and writes acronyms out; rejects nothing."""

    paper = "AIC 3"
    Options = Cleaning
    options: Cleaning

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Clean the texts."""
        return Verdicts(texts=[clean(text, self.options) for text in batch.texts])
