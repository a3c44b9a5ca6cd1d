"""What kind of phrase a caption is: one with a verb, with a preposition, or with an adjective (Déjà Table 5)."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from photocritic.text.canonical import is_preposition
from photocritic.text.lemmas import base, lemmatizer, participle_of
from photocritic.text.tagging import Tagged

Syntax = Literal["verb", "prep", "adj", "none"]
_AUXILIARIES = frozenset({"be", "have", "do"})
_ORDER: tuple[Syntax, ...] = ("verb", "prep", "adj")  # the first that occurs in a caption names it


def syntax(tagged: Tagged) -> Syntax:
    """Return a caption's syntactic type.

    Returns
    -------
    {"verb", "prep", "adj", "none"}
        `verb` with at least one verb, `prep` with a preposition and no verb, `adj` with an adjective and neither.

    References
    ----------
    Chen et al., "Déjà Image-Captions", NAACL 2015, Table 5.
    """
    found = set(map(part, tagged.words, tagged.tags))
    return next((kind for kind in _ORDER if kind in found), "none")


def tag_titles_again(
    texts: Sequence[str], tagged: Sequence[Tagged], tag: Callable[[list[str]], list[Tagged]]
) -> list[Tagged]:
    """Tag texts of no syntactic type again in lower case: in titles like "Rainy Day", taggers see nothing but names.

    Parameters
    ----------
    texts : sequence of str
        The texts.
    tagged : sequence of Tagged
        The same, tagged.
    tag : callable
        Tags texts.

    Returns
    -------
    list of Tagged
        One a text, with the new tags where there are any.
    """
    found = list(tagged)
    doubtful = [row for row, caption in enumerate(found) if syntax(caption) == "none" and not texts[row].islower()]
    for row, caption in zip(doubtful, tag([texts[row].lower() for row in doubtful]), strict=True):
        found[row] = caption
    return found


def heads(tagged: Tagged, kind: Syntax) -> list[str]:
    """Return the words of a caption that make it of this kind: base forms of verbs and adjectives, or prepositions."""
    if kind == "none":
        return []
    return [_head(word, lemma, kind) for word, tag, lemma in zip(*tagged, strict=True) if part(word, tag) == kind]


@lru_cache(maxsize=1 << 17)
def part(word: str, tag: str) -> Syntax:
    """Return what a word contributes to its caption's type.

    Where a tagger errs most, on capitals and on participles at a caption's end, the word's form decides too.
    """
    form = word.lower()
    if is_preposition(form, tag) and tag != "TO":
        return "prep"
    if tag.startswith("VB"):
        return "verb"
    if tag.startswith("JJ"):
        return "adj"
    if tag.startswith("NN"):
        if participle_of(form):
            return "verb"
        is_noun = tag != "NNP" and lemmatizer().knows(form, "N")
        return "adj" if lemmatizer().knows(form, "J") and not is_noun else "none"
    return "none"


def _head(word: str, lemma: str, kind: Syntax) -> str:
    if kind == "prep":
        return word.lower()
    return base(word, lemma) if kind == "verb" and lemma not in _AUXILIARIES else lemma
