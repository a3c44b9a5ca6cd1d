"""AIC's word composition: which unigrams and bigrams of a comment carry information."""

from collections.abc import Sequence
from itertools import pairwise

from photocritic.language import Token, american

_FIRST = frozenset({"NOUN", "ADJ", "ADV"})
_SECOND = frozenset({"NOUN", "ADJ"})
SEPARATOR = "_"  # joins a bigram's lemmas; does not occur within a lemma


def ngrams(tokens: Sequence[Token]) -> list[str]:
    """Give a comment's nouns and its "descriptor-object" bigrams, as lemmas (AIC section 3, word composition).

    Stop words and punctuation are taken out first, so that "trees in the background" has the bigram tree_background.
    Spelling variants count as one word (colour, color).

    Parameters
    ----------
    tokens : sequence of Token
        The tagged comment.

    Returns
    -------
    list of str
        The unigrams in order (common nouns), then the bigrams in order (noun, adjective or adverb; then noun or
        adjective), their lemmas joined by `SEPARATOR`. What occurs twice stands twice.
    """
    content = [
        (american(token.lemma).replace(SEPARATOR, "-"), token.coarse)
        for token in tokens
        if token.is_word and not token.is_stop
    ]
    unigrams = [lemma for lemma, word_class in content if word_class == "NOUN"]
    bigrams = [
        f"{first}{SEPARATOR}{second}"
        for (first, first_class), (second, second_class) in pairwise(content)
        if first_class in _FIRST and second_class in _SECOND
    ]
    return unigrams + bigrams


def order(ngram: str) -> int:
    """Give 1 for a unigram and 2 for a bigram."""
    return 2 if SEPARATOR in ngram else 1
