"""Statistics of repeated captions: Tables 1, 2, 4 and 5 and Figure 3 of Déjà, from a description of each caption."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from photocritic.text import Syntax, Tagger, base, caption_tokens, coarse, heads, syntax, tag_titles_again

Rows = list[dict[str, Any]]

_TOP_WORDS, _TOP_CAPTIONS, _TOP_QUERIES, _EXAMPLES = 20, 5, 10, 2  # as many as the paper shows, at most
Polarity = Literal["positive", "negative", "neutral"]

_BATCH = 10_000  # captions that are tagged together
# VADER's people rated words from -4 to 4; Déjà counted the words that its own lexicon called strong.
_STRONG = 2.0
_PLAIN = frozenset({"hand", "kind", "lying", "pita", "suspended", "tops"})  # of a photograph these say what is seen


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
        Its common nouns, as base forms.
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


def association_tables(
    forms: pa.Table, found: Sequence[Description], links: NDArray[np.int64], corpus: dict[str, int]
) -> dict[str, Rows]:
    """Return the paper's statistics.

    Parameters
    ----------
    forms : pyarrow.Table
        A form a row, those of most images first; at least one.
    found : sequence of Description
        What is known of each form's caption.
    links : ndarray of int64, shape (links, 2)
        Pairs of form and image, in the order of the forms; each once.
    corpus : dict of str to int
        Numbers of captions and of images that all this was taken from.

    Returns
    -------
    dict of str to list of dict
        `association_counts` (Table 1), `association_percentiles` (Table 2), `association_sentiment` (Table 4),
        `association_syntax` (Table 5), `association_queries_by_images` and `association_queries_by_captions`
        (Figure 3). Shares lie between 0 and 1.
    """
    images = np.bincount(links[:, 0], minlength=len(found))
    captions = forms.column("caption").to_pylist()
    by_images, by_captions = _queries(found, links)
    return {
        "association_counts": [
            {"set": "corpus", **corpus},
            {"set": "repeated", "captions": len(found), "images": len(np.unique(links[:, 1]))},
        ],
        "association_percentiles": [
            {"of": "images", **_percentiles(images)},
            {"of": "tokens", **_percentiles(np.array([description.tokens for description in found]))},
        ],
        "association_sentiment": _sentiment(captions, found, images),
        "association_syntax": _syntax(captions, found, images),
        "association_queries_by_images": by_images,
        "association_queries_by_captions": by_captions,
    }


def _percentiles(values: NDArray[np.int64]) -> dict[str, float]:
    quartiles = {f"{share}%": float(np.percentile(values, share)) for share in (25, 50, 75)}
    return {"mean": _rounded(values.mean()), "std": _rounded(values.std()), **quartiles, "max": float(values.max())}


def _sentiment(captions: list[str], found: Sequence[Description], images: NDArray[np.int64]) -> Rows:
    rows = []
    for polarity in ("positive", "negative"):
        own = np.array([place for place, description in enumerate(found) if description.polarity == polarity], int)
        if len(own):
            rows.append(
                {
                    "polarity": polarity,
                    "captions": _rounded(len(own) / len(found)),
                    "mean_images": _rounded(images[own].mean()),
                    "median_images": float(np.median(images[own])),
                    "examples": _examples(captions, images, own[:_EXAMPLES]),
                }
            )
    return rows


def _syntax(captions: list[str], found: Sequence[Description], images: NDArray[np.int64]) -> Rows:
    rows = []
    for kind in ("verb", "prep", "adj", "none"):
        own = np.array([place for place, description in enumerate(found) if description.syntax == kind], int)
        if len(own):
            words = Counter(word for place in own for word in dict.fromkeys(found[place].heads))
            rows.append(
                {
                    "type": kind,
                    "captions": _rounded(len(own) / len(found)),
                    "images": _rounded(images[own].sum() / images.sum()),
                    "mean_images": _rounded(images[own].mean()),
                    "std_images": _rounded(images[own].std()),
                    "top_words": ", ".join(word for word, _ in _ranked(words)[:_TOP_WORDS]),
                    "top_captions": _examples(captions, images, own[:_TOP_CAPTIONS]),
                }
            )
    return rows


def _queries(found: Sequence[Description], links: NDArray[np.int64]) -> tuple[Rows, Rows]:
    """Return the nouns with most images, and those with most captions; both with both numbers."""
    forms_of = defaultdict[str, list[int]](list)
    for place, description in enumerate(found):
        for noun in dict.fromkeys(description.nouns):
            forms_of[noun].append(place)
    first = np.searchsorted(links[:, 0], np.arange(len(found) + 1))
    images = Counter(
        {
            noun: len(np.unique(np.concatenate([links[first[place] : first[place + 1], 1] for place in places])))
            for noun, places in forms_of.items()
        }
    )
    captions = Counter({noun: len(places) for noun, places in forms_of.items()})
    by_images, by_captions = (
        [{"query": noun, "images": images[noun], "captions": captions[noun]} for noun, _ in _ranked(counts)]
        for counts in (images, captions)
    )
    return by_images[:_TOP_QUERIES], by_captions[:_TOP_QUERIES]


def _examples(captions: list[str], images: NDArray[np.int64], places: NDArray[np.int64]) -> str:
    return "; ".join(f"{captions[place]} ({images[place]})" for place in places)


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _rounded(value: float) -> float:
    return round(float(value), 4)
