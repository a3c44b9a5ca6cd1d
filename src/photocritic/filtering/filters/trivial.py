"""Keywords rather than captions: nothing is done, nowhere, and nothing has a property."""

from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts
from photocritic.text import syntax, tag_titles_again

TRIVIAL = "trivial"


class Trivial(Filter):
    """Rejects texts without a verb, a preposition or an adjective."""

    paper = "Déjà 2"
    reasons = (TRIVIAL,)

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the tags; a text where nothing but names are seen is tagged again in lower case."""
        tagged = tag_titles_again(batch.texts, batch.tagged(), batch.annotator.tag)
        return Verdicts([TRIVIAL if syntax(caption) == "none" else "" for caption in tagged])
