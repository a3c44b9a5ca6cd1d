"""What is told of a caption: its length, its sentiment, its kind and the words that make it one, its nouns."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Literal, NamedTuple

from photocritic.text import Syntax, Tagger, base, caption_tokens, coarse, heads, syntax, tag_titles_again

Polarity = Literal["positive", "negative", "neutral"]

_BATCH = 10_000  # captions that are tagged together
# VADER's people rated words from -4 to 4; Déjà counted the words that its own lexicon called strong.
_STRONG = 2.0
_PLAIN = frozenset({"hand", "kind", "lying", "pita", "suspended", "tops"})  # of a photograph these say what is seen


class Description(NamedTuple):
    """What a caption is like.

    Attributes
    ----------
    tokens : int
        Words, as captioners read them.
    polarity : {"positive", "negative", "neutral"}
        See `polarity`.
    syntax : {"verb", "prep", "adj", "none"}
        See `language.syntax`.
    heads : list of str
        The words that make it of this kind.
    nouns : list of str
        Its common nouns, as base forms.
    """

    tokens: int
    polarity: Polarity
    syntax: Syntax
    heads: list[str]
    nouns: list[str]


def describe(captions: Sequence[str], tagger: Tagger) -> Iterator[Description]:
    """Describe captions in order, tagging many at a time."""
    waiting = iter(captions)
    while batch := list(islice(waiting, _BATCH)):
        for text, tagged in zip(batch, tag_titles_again(batch, tagger.tag(batch), tagger.tag), strict=True):
            tokens, kind = caption_tokens(text), syntax(tagged)
            nouns = [base(word, lemma) for word, tag, lemma in zip(*tagged, strict=True) if coarse(tag) == "NOUN"]
            yield Description(len(tokens), polarity(tokens), kind, heads(tagged, kind), nouns)


def polarity(tokens: Sequence[str]) -> Polarity:
    """Tell whether a caption has more strongly positive or more strongly negative words (Déjà Table 4).

    References
    ----------
    C. J. Hutto and E. Gilbert, "VADER: a parsimonious rule-based model for sentiment analysis of social media text",
    ICWSM 2014: the lexicon, which takes the place of the paper's (Wilson et al., 2005), whose licence is not free.
    """
    balance = sum(map(_strong_words().get, tokens, [0] * len(tokens)))
    if balance == 0:
        return "neutral"
    return "positive" if balance > 0 else "negative"


@cache
def _strong_words() -> dict[str, int]:
    """Give 1 for strongly positive words and -1 for strongly negative ones."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    lexicon = SentimentIntensityAnalyzer().lexicon
    strong = {word: valence for word, valence in lexicon.items() if abs(valence) >= _STRONG and word not in _PLAIN}
    return {word: 1 if valence > 0 else -1 for word, valence in strong.items()}
