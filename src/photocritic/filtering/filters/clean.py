"""Generic cleaning of web comments."""

from photocritic.filtering.cleaning import Cleaning, clean
from photocritic.filtering.contract import CommentBatch, Filter, Verdicts


class Clean(Filter):
    """Takes out markup, links, emoji and repeated punctuation, and writes acronyms out; rejects nothing."""

    paper = "AIC 3"
    Options = Cleaning
    options: Cleaning

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Clean the texts."""
        return Verdicts(texts=[clean(text, self.options) for text in batch.texts])
