"""Base forms that do not depend on whether a tagger took a word for a noun, a verb or an adjective."""

import re
from functools import cache, lru_cache

from photocritic.text.folder import BUNDLED
from photocritic.text.lemmas import Lemmatizer
from photocritic.text.spelling import american

# Captions are short, and taggers err on them: "Dog running" may end in a noun, "flies" may be many flies. A participle
# is therefore always its verb, and a plural its noun, except for these, which in captions are nearly always things.
_THINGS = """awning bedding building ceiling clothing dining drawing earring evening flooring frosting herring housing
icing lighting living meaning morning painting parking railing roofing seating siding stocking wedding news striped"""
_AS_THEY_ARE = frozenset(_THINGS.split())
_VOWEL = re.compile("[aeiouy]")


@cache
def lemmatizer() -> Lemmatizer:
    """Give the table of lemmas of the bundled pipeline."""
    return Lemmatizer.read(BUNDLED)


@lru_cache(maxsize=1 << 17)
def base(word: str, lemma: str) -> str:
    """Give a word's base form, the same under most of the tags that a tagger may give it.

    What may be a known noun's plural is that noun, even where it may be a verb too (leaves -> leaf); what may be a
    known verb's participle is that verb; everything else has the lemma that the tagger's tag gives it.

    Parameters
    ----------
    word : str
        As written.
    lemma : str
        The lemma under its tag.

    Returns
    -------
    str
        In lower case and American spelling.
    """
    form = word.lower()
    if form in _AS_THEY_ARE or _is_no_participle(form):
        return form
    return american(_third_person_or_plural(form) or participle_of(form) or lemma)


@lru_cache(maxsize=1 << 16)
def participle_of(form: str) -> str:
    """Give the verb of a participle or of a past form that can be nothing else; empty where it is none.

    A noun that makes verbs counts as one: snowboarding -> snowboard.
    """
    if form in _AS_THEY_ARE or _is_no_participle(form):
        return ""
    if form.endswith("ing"):
        noun = form.removesuffix("ing") + "e"
        return _known(form, "VBG", "V") or (noun if lemmatizer().knows(noun, "N") else _known(form, "VBG", "N"))
    if form.endswith("ed"):
        return "" if form.endswith("eed") else _known(form, "VBN", "V")
    if any(lemmatizer().knows(form, word_class) for word_class in "NV"):
        return ""  # "saw", "left", "rose": only the tag tells
    return _known(form, "VBD", "V") or _known(form, "VBN", "V")


def _third_person_or_plural(form: str) -> str:
    noun, verb = _known(form, "NNS", "N"), _known(form, "VBZ", "V")
    is_cut_too_short = noun == form[:-2] and verb == form[:-1]  # "comes" is no plural of "com"
    return verb if is_cut_too_short or len(noun) < 3 else noun


def _known(form: str, tag: str, word_classes: str) -> str:
    """Give a form's lemma under a tag if it is another word, and one that the treebank knows in one of the classes."""
    lemma = lemmatizer().lemma(form, tag)
    known = lemma != form and any(lemmatizer().knows(lemma, word_class) for word_class in word_classes)
    return lemma if known else ""


def _is_no_participle(form: str) -> bool:
    """Tell words that only end like one: nothing is left of "swing" or "string" that could be said."""
    return form.endswith("ing") and not _VOWEL.search(form.removesuffix("ing"))
