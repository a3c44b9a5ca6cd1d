"""Lemmas in WordNet's manner: suffix rules, checked against the words that a treebank knows."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

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

Table = dict[str, Any]
FILE = "lemmas.json"


def word_class(tag: str) -> str:
    """Give the class whose lemmas a Penn Treebank tag shares: N, V, J, R, or the tag itself."""
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
        """Take lexicon and exceptions from (form, tag, lemma) triples; the commonest lemma counts, an empty one not."""
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
    def read(cls, pipeline: Path) -> "Lemmatizer":
        """Read the table of a trained pipeline's folder."""
        return cls(**json.loads((pipeline / "lemmatizer" / FILE).read_text(encoding="utf-8")))

    def knows(self, lemma: str, word_class: str) -> bool:
        """Tell whether the treebank has a lemma in a word class: N, V, J or R."""
        return lemma in self._known.get(word_class, ())

    def table(self) -> Table:
        """Give what `learn` found, ready for JSON."""
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
    """Complete the stem of an unknown word after its ending was taken off."""
    return stem + "e" if _DROPS_E.search(stem) else _undoubled(stem)


def _undoubled(stem: str) -> str:
    """Undo the doubling of "blurr-ed" and "bigg-er", but not that of "pull-ed" or "miss-ed"."""
    doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeioulsz"
    return stem[:-1] if doubled else stem
