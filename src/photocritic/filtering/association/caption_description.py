"""What Déjà's statistics say of one caption: its length, sentiment (Table 4), syntactic type (Table 5) and nouns."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Literal, NamedTuple

from photocritic.text import (
    Syntax,
    Tagger,
    base,
    caption_tokens,
    coarse,
    heads,
    physical_nouns,
    syntax,
    tag_titles_again,
)  # fmt: skip

Polarity = Literal["positive", "negative", "neutral"]

_BATCH = 10_000  # captions that are tagged together
# VADER's people rated words from -4 to 4; the paper counts the words that Wilson et al. call strongly subjective. Of
# 373 words of theirs, this bound finds .35 of the strong ones and takes .17 of the weak ones for strong. A bound of 2
# finds .20 and .10, AFINN from 2 on .37 and .25, TextBlob's list of adjectives .12 and .15.
_STRONG = 1.5
# Of a photograph these say what is seen, or they are mostly another word ("ready to eat", "smart phone").
_PLAIN = frozenset({
    "block", "clean", "clear", "comforter", "hand", "kind", "like", "lying", "obstacle", "party", "pita", "progress",
    "ready", "sharing", "smart", "suspended", "tops",
})  # fmt: skip


class Description(NamedTuple):
    """A caption's length, sentiment, syntactic type and nouns.

    Attributes
    ----------
    tokens : int
        Words, as captioners read them.
    polarity : {"positive", "negative", "neutral"}
        See `polarity`.
    syntax : {"verb", "prep", "adj", "none"}
        See `text.syntax`.
    heads : list of str
        The words that make it of this kind.
    nouns : list of str
        Its common nouns for physical objects, as base forms.
    """

    tokens: int
    polarity: Polarity
    syntax: Syntax
    heads: list[str]
    nouns: list[str]


def describe(captions: Sequence[str], tagger: Tagger) -> Iterator[Description]:
    """Yield descriptions of captions in order, tagging many at a time."""
    waiting = iter(captions)
    while batch := list(islice(waiting, _BATCH)):
        for text, tagged in zip(batch, tag_titles_again(batch, tagger.tag(batch), tagger.tag), strict=True):
            tokens, kind = caption_tokens(text), syntax(tagged)
            nouns = [base(word, lemma) for word, tag, lemma in zip(*tagged, strict=True) if coarse(tag) == "NOUN"]
            nouns = [noun for noun in nouns if noun in physical_nouns()]
            yield Description(len(tokens), polarity(tokens), kind, heads(tagged, kind), nouns)


def polarity(tokens: Sequence[str]) -> Polarity:
    """Return whether a caption has more strongly positive or more strongly negative words (Déjà Table 4).

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
    """Return 1 for strongly positive words and -1 for strongly negative ones."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    lexicon = SentimentIntensityAnalyzer().lexicon
    strong = {word: valence for word, valence in lexicon.items() if abs(valence) >= _STRONG and word not in _PLAIN}
    return {word: 1 if valence > 0 else -1 for word, valence in strong.items()}
