"""AIC's word composition: which unigrams and bigrams of a comment carry information."""

import re
from functools import lru_cache
from itertools import pairwise

from photocritic.text import STOPWORDS, Coarse, Tagged, american, coarse

_FIRST = frozenset({"NOUN", "ADJ", "ADV"})
_SECOND = frozenset({"NOUN", "ADJ"})
SEPARATOR = "_"  # joins a bigram's lemmas; does not occur within a lemma
_WORD = re.compile(r"['’]?[^\W_]")


def ngrams(tagged: Tagged) -> list[str]:
    """Give a comment's nouns and its "descriptor-object" bigrams, as lemmas (AIC section 3, word composition).

    Stop words and punctuation are taken out first, so that "trees in the background" has the bigram tree_background.
    Spelling variants count as one word (colour, color).

    Parameters
    ----------
    tagged : Tagged
        The comment.

    Returns
    -------
    list of str
        The unigrams in order (common nouns), then the bigrams in order (noun, adjective or adverb; then noun or
        adjective), their lemmas joined by `SEPARATOR`. What occurs twice stands twice.
    """
    found = content(tagged)
    unigrams = [lemma for lemma, word_class in found if word_class == "NOUN"]
    bigrams = [
        first + SEPARATOR + second
        for (first, first_class), (second, second_class) in pairwise(found)
        if first_class in _FIRST and second_class in _SECOND
    ]
    return unigrams + bigrams


def content(tagged: Tagged) -> list[tuple[str, Coarse]]:
    """Give a comment's words without stop words and punctuation, as lemma and class."""
    return [kept for kept in map(_content_word, *tagged) if kept is not None]


def order(ngram: str) -> int:
    """Give 1 for a unigram and 2 for a bigram."""
    return 2 if SEPARATOR in ngram else 1


@lru_cache(maxsize=1 << 17)
def _content_word(word: str, tag: str, lemma: str) -> tuple[str, Coarse] | None:
    if word.lower() in STOPWORDS or not _WORD.match(word):
        return None
    return american(lemma).replace(SEPARATOR, "-"), coarse(tag)
