"""Texts that lack what a sentence is made of, such as lists of search terms."""

import re

from photocritic.config import Block, Share
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts
from photocritic.text import Tagged

NO_DETERMINER, NO_NOUN, NO_PREPOSITION = "no_determiner", "no_noun", "no_preposition"
NOUN_HEAVY, REPEATING = "high_noun_ratio", "low_unique_word_ratio"

# "to" is a preposition only where no verb follows, but a caption with an infinitive is well formed as well.
_DETERMINERS = frozenset({"DT", "PDT", "WDT", "PRP$"})
_PREPOSITIONS = frozenset({"IN", "TO"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_WORD = re.compile(r"['’]?[^\W_]")


class WellFormed(Filter):
    """Rejects texts without determiner, noun or preposition, of little but nouns, or with few different words."""

    paper = "CC 3"
    reasons = (NO_DETERMINER, NO_NOUN, NO_PREPOSITION, NOUN_HEAVY, REPEATING)

    class Options(Block):
        """What must be there, the highest share of nouns among the words, and the lowest share of different words.

        CC asks that the share of nouns not be high but gives no number. In its own examples, full of names, nouns are
        up to 0.74 of the words, and in 99 of 100 Flickr8k captions up to 0.67; lists of search terms have about 0.8.

        CC asks for a high ratio of unique words, again without a number. All words count, function words too: in CC's
        examples at least 0.95 are different, in 99 of 100 captions of Flickr8k and of COCO at least 0.7, and in the
        most repetitive of 30,000 Flickr8k captions half of them. That the words cover several parts of speech follows
        from the first three options.
        """

        determiner: bool = True
        noun: bool = True
        preposition: bool = True
        max_noun_share: Share = 0.75
        min_unique_share: Share = 0.5

    options: Options

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by the tags of each text's words."""
        return Verdicts([self._reason(tagged) for tagged in batch.tagged()])

    def _reason(self, tagged: Tagged) -> str:
        tags = [tag for word, tag in zip(tagged.words, tagged.tags, strict=True) if _WORD.match(word)]
        if self.options.determiner and not any(tag in _DETERMINERS for tag in tags):
            return NO_DETERMINER
        nouns = sum(tag in _NOUNS for tag in tags)
        if self.options.noun and not nouns:
            return NO_NOUN
        if self.options.preposition and not any(tag in _PREPOSITIONS for tag in tags):
            return NO_PREPOSITION
        if nouns > self.options.max_noun_share * len(tags):
            return NOUN_HEAVY
        return REPEATING if _unique_share(tagged) < self.options.min_unique_share else ""


def _unique_share(tagged: Tagged) -> float:
    words = [word.lower() for word in tagged.words if _WORD.match(word)]
    return len(set(words)) / len(words) if words else 1.0
