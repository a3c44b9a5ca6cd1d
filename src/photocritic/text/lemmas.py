"""Lemmas by WordNet's suffix rules and the words of a treebank, and base forms that do not depend on the tag."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from photocritic.text.words import BUNDLED, american

# Suffix and replacement by tag, tried in order: the first result that the treebank knows as a lemma wins, else the
# first at all. WordNet's morphy works alike, with WordNet as its lexicon.
_PLURAL = (
    ("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("zzes", "zz"),
    ("s", ""), ("es", ""), ("ies", "ie"), ("men", "man"), ("ves", "f"), ("ves", "fe"),
)  # fmt: skip
_THIRD_PERSON = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("oes", "o"), ("s", ""))
_PAST = (("ied", "y"), ("ed", ""), ("ed", "e"))
_GERUND = (("ing", ""), ("ing", "e"))
_COMPARATIVE = (("ier", "y"), ("er", ""), ("er", "e"))
_SUPERLATIVE = (("iest", "y"), ("est", ""), ("est", "e"))
_RULES = {
    "NNS": _PLURAL, "NNPS": _PLURAL, "VBZ": _THIRD_PERSON, "VBD": _PAST, "VBN": _PAST, "VBG": _GERUND,
    "JJR": _COMPARATIVE, "RBR": _COMPARATIVE, "JJS": _SUPERLATIVE, "RBS": _SUPERLATIVE,
}  # fmt: skip
_DROPS_E = re.compile(r"(?:[cuvz]|[^s]s|[^aeiou]l|at|[dn]g)$")  # what an "e" was probably dropped after: "danc-ing"
_INVARIABLE = ("ss", "us", "is")  # plurals do not end so: "glass", "focus", "tennis" under a wrong tag

# Irregular plurals that photographers write and a treebank of web text may lack (WordNet's noun.exc knows them all).
_IRREGULAR = {
    "calves": "calf", "children": "child", "criteria": "criterion", "elves": "elf", "feet": "foot", "geese": "goose",
    "halves": "half", "hooves": "hoof", "knives": "knife", "leaves": "leaf", "lenses": "lens", "lives": "life",
    "loaves": "loaf", "men": "man", "mice": "mouse", "oxen": "ox", "phenomena": "phenomenon", "scarves": "scarf",
    "shelves": "shelf", "teeth": "tooth", "thieves": "thief", "wives": "wife", "wolves": "wolf", "women": "woman",
    "axes": "axis", "bases": "base", "buses": "bus", "gases": "gas", "shoes": "shoe", "toes": "toe", "canoes": "canoe",
    "ties": "tie", "pies": "pie", "movies": "movie", "zombies": "zombie", "selfies": "selfie", "hoodies": "hoodie",
}  # fmt: skip
# Captions are short, and taggers err on them: "Dog running" may end in a noun, "flies" may be many flies. A participle
# is therefore always its verb, and a plural its noun, except for these, which in captions are nearly always things.
_THINGS = """awning bedding building ceiling clothing dining drawing earring evening flooring frosting herring housing
icing lighting living meaning morning painting parking railing roofing seating siding stocking wedding news striped"""
_AS_THEY_ARE = frozenset(_THINGS.split())
_VOWEL = re.compile("[aeiouy]")

Table = dict[str, Any]
FILE = "lemmas.json"


def word_class(tag: str) -> str:
    """Return the class whose lemmas a Penn Treebank tag shares: N, V, J, R, or the tag itself."""
    return tag[0] if tag[:2] in {"NN", "VB", "JJ", "RB"} else tag


class Lemmatizer:
    """Lemma of a word form under a Penn Treebank tag, in lower case.

    Parameters
    ----------
    known : dict of str to list of str
        The lemmas of each word class (`word_class`).
    exceptions : dict of str to dict of str to str
        Lemmas that the rules miss, by tag and form.
    """

    def __init__(self, known: dict[str, list[str]], exceptions: dict[str, dict[str, str]]) -> None:
        self._known = {name: frozenset(words) for name, words in known.items()}
        self._exceptions = exceptions
        self.lemma = lru_cache(maxsize=1 << 16)(self._lemma)

    @classmethod
    def learn(cls, words: Iterable[tuple[str, str, str]]) -> "Lemmatizer":
        """Learn from (form, tag, lemma) triples; the commonest lemma of a form counts, and an empty one does not."""
        counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for form, tag, lemma in words:
            if not lemma or (tag.startswith("NN") and not form.isalpha()):
                continue  # misspelt, or "50's": nothing to learn
            counts[tag, form.lower()][lemma.lower()] += 1
        # Ties are broken by the alphabet, so that the weights do not depend on the order of the sentences.
        best = {key: min(found, key=lambda lemma: (-found[lemma], lemma)) for key, found in counts.items()}
        known: dict[str, set[str]] = defaultdict(set)
        for (tag, _), lemma in best.items():
            known[word_class(tag)].add(lemma)
        lexicon = {name: sorted(words_of) for name, words_of in sorted(known.items()) if name in "NVJR"}
        rules, exceptions = cls(lexicon, {}), defaultdict[str, dict[str, str]](dict)
        for (tag, form), lemma in sorted(best.items()):
            if rules.lemma(form, tag) != lemma:
                exceptions[tag][form] = lemma
        return cls(lexicon, dict(exceptions))

    @classmethod
    def load(cls, pipeline: Path) -> "Lemmatizer":
        """Load the table of a trained pipeline's folder."""
        return cls(**json.loads((pipeline / "lemmatizer" / FILE).read_text(encoding="utf-8")))

    def knows(self, lemma: str, word_class: str) -> bool:
        """Return whether the treebank has a lemma in a word class: N, V, J or R."""
        return lemma in self._known.get(word_class, ())

    def table(self) -> Table:
        """Return what `learn` found, ready for JSON."""
        return {"known": {name: sorted(words) for name, words in self._known.items()}, "exceptions": self._exceptions}

    def _lemma(self, form: str, tag: str) -> str:
        form = form.lower()
        if (exception := self._exceptions.get(tag, {}).get(form)) is not None:
            return exception
        if tag in {"NNS", "NNPS"} and form in _IRREGULAR:
            return _IRREGULAR[form]
        rules = _RULES.get(tag)
        if rules is None or (rules is _PLURAL and form.endswith(_INVARIABLE)):
            return form
        known = self._known.get(word_class(tag), frozenset())
        candidates = [
            form.removesuffix(suffix) + ending
            for suffix, ending in rules
            if form.endswith(suffix) and len(form) > len(suffix) + 1
        ]
        for candidate in candidates:
            for spelling in (candidate, _undoubled(candidate)):
                if spelling in known:
                    return spelling
        if not candidates:
            return form
        return candidates[0] if rules is _PLURAL or rules is _THIRD_PERSON else _guessed_stem(candidates[0])


def _guessed_stem(stem: str) -> str:
    """Return the completed stem of an unknown word after its ending was taken off."""
    return stem + "e" if _DROPS_E.search(stem) else _undoubled(stem)


def _undoubled(stem: str) -> str:
    """Return a stem without the doubling of "blurr-ed" and "bigg-er", but not that of "pull-ed" or "miss-ed"."""
    doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeioulsz"
    return stem[:-1] if doubled else stem


@cache
def lemmatizer() -> Lemmatizer:
    """Return the lemmatizer of the bundled pipeline."""
    return Lemmatizer.load(BUNDLED)


@lru_cache(maxsize=1 << 17)
def base(word: str, lemma: str) -> str:
    """Return a word's base form, the same under most of the tags that a tagger may give it.

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
    """Return the verb of a participle or of a past form that can be nothing else; empty where it is none.

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
        return ""  # "saw", "left", "rose": only the tag decides
    return _known(form, "VBD", "V") or _known(form, "VBN", "V")


def _third_person_or_plural(form: str) -> str:
    noun, verb = _known(form, "NNS", "N"), _known(form, "VBZ", "V")
    is_cut_too_short = noun == form[:-2] and verb == form[:-1]  # "comes" is no plural of "com"
    return verb if is_cut_too_short or len(noun) < 3 else noun


def _known(form: str, tag: str, word_classes: str) -> str:
    """Return a form's lemma under a tag if it is another word that the treebank has in one of the classes."""
    lemma = lemmatizer().lemma(form, tag)
    known = lemma != form and any(lemmatizer().knows(lemma, word_class) for word_class in word_classes)
    return lemma if known else ""


def _is_no_participle(form: str) -> bool:
    """Return whether a word only ends like one: nothing is left of "swing" or "string" that could be said."""
    return form.endswith("ing") and not _VOWEL.search(form.removesuffix("ing"))
