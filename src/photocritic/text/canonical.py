"""Canonical forms of captions: what stays when two people say the same in nearly the same words (Déjà 2)."""

from functools import lru_cache

from photocritic.text.lemmas import base
from photocritic.text.tagging import Tagged
from photocritic.text.words import PREPOSITIONS, STOPWORDS

PREPOSITION = "IN"  # what every preposition becomes; in capitals, so that it is no lemma

_MORE_PREPOSITIONS = frozenset({"aboard", "alongside", "amid", "amidst", "amongst", "atop", "opposite", "versus", "w/"})
_AMBIGUOUS = frozenset({"like", "past", "opposite"})  # prepositions under the tag IN only
_FULL_VERBS = frozenset({"get", "gets", "got", "getting", "let", "need"})  # stop words, but verbs to a caption
_NUMBERS = """zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands
million millions"""
_WITHOUT_CONTENT = STOPWORDS.union(_NUMBERS.split())
_BARE_VERB = frozenset({"VB", "VBP"})


def canonical_form(tagged: Tagged) -> str:
    """Return a caption's canonical form.

    Words become base forms (`lemmas.base`) and prepositions `PREPOSITION`; function words, numbers and punctuation go.
    The function words are `STOPWORDS`; be, have and do are among them. Particles count as prepositions,
    since taggers seldom agree on which is which, and prepositions that then stand side by side count as one ("out of",
    "up at"). "to" before a verb is no preposition.

    Parameters
    ----------
    tagged : Tagged
        The caption.

    Returns
    -------
    str
        Words joined by blanks; empty where a caption has function words alone.

    References
    ----------
    Chen et al., "Déjà Image-Captions", NAACL 2015, section 2.

    Examples
    --------
    >>> from photocritic.text import FastTagger
    >>> canonical_form(FastTagger().tag(["A bird flying into the blue sky"])[0])
    'bird fly IN blue sky'
    """
    form: list[str] = []
    words, tags, lemmas = tagged
    for place, (word, tag, lemma) in enumerate(zip(words, tags, lemmas, strict=True)):
        found = token(word, tag, lemma)
        if not found or (found == PREPOSITION and form and form[-1] == PREPOSITION):
            continue
        if word in {"to", "To"} and not _BARE_VERB.isdisjoint(tags[place + 1 : place + 2]):
            continue
        form.append(found)
    return "" if form == [PREPOSITION] else " ".join(form)


def content_form(tagged: Tagged) -> str:
    """Return a caption's content form: the base forms of its nouns and verbs, in their order.

    Captions that differ in adjectives, adverbs and prepositions alone have the same one.

    Parameters
    ----------
    tagged : Tagged
        The caption.

    Returns
    -------
    str
        Words joined by blanks; empty where a caption has no noun and no verb but function words.

    Examples
    --------
    >>> from photocritic.text import FastTagger
    >>> captions = ["a brown dog runs through the tall grass", "the dog is running in grass"]
    >>> [content_form(tagged) for tagged in FastTagger().tag(captions)]
    ['dog run grass', 'dog run grass']
    """
    found = [token(word, tag, lemma) for word, tag, lemma in zip(*tagged, strict=True) if tag.startswith(("NN", "VB"))]
    return " ".join(word for word in found if word not in {"", PREPOSITION})


@lru_cache(maxsize=1 << 17)
def token(word: str, tag: str, lemma: str) -> str:
    """Return what a word becomes in a canonical form: a base form, `PREPOSITION`, or nothing."""
    form = word.lower()
    if is_preposition(form, tag):
        return PREPOSITION
    if form in _FULL_VERBS or form in _AMBIGUOUS:
        return base(word, lemma)
    if tag == "CD" or form in _WITHOUT_CONTENT or not form[:1].isalpha():
        return ""
    return "" if tag == "IN" else base(word, lemma)


def is_preposition(form: str, tag: str) -> bool:
    """Return whether a word in lower case is a preposition, under most tags that a tagger may give it."""
    if form in _AMBIGUOUS:
        return tag == "IN"
    return form in PREPOSITIONS or form in _MORE_PREPOSITIONS
