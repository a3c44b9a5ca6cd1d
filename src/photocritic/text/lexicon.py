"""Which words English has, which of them name physical objects, and which web texts use."""

import gzip
import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from photocritic.text.words import known_words

PHYSICAL_NOUNS = Path(__file__).with_name("data") / "physical_nouns.txt"
_DICTIONARY = ("symspellpy", "frequency_dictionary_en_82_765.txt")  # a word and its frequency a line


class Lexicon:
    """The words of English, for `word in lexicon`; lower case.

    A word is known where WordNet has it as a lemma or as an irregular form, where WordNet's rules for endings lead from
    it to a lemma ("poppies" to "poppy", "smoked" to "smoke"), where the dictionary has it, or where web texts use it
    (`known_words`).

    References
    ----------
    Fellbaum 1998, WordNet; its rules of detachment (Morphy). spacy-lookups-data has its lemmas, forms and rules, and
    symspellpy the dictionary.
    """

    def __init__(self) -> None:
        self._lemmas = {kind: frozenset(lemmas) for kind, lemmas in _table("lemma_index").items()}
        self._endings = {kind: rules for kind, rules in _table("lemma_rules").items() if kind in self._lemmas}
        forms = _table("lemma_lookup")
        irregular = {form for forms_of in _table("lemma_exc").values() for form in forms_of}
        self._forms = frozenset().union(known_words(), _dictionary(), irregular, forms, forms.values())

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and (word in self._forms or self._has_lemma(word))

    def _has_lemma(self, word: str) -> bool:
        if any(word in lemmas for lemmas in self._lemmas.values()):
            return True
        return any(
            word.endswith(ending) and word[: len(word) - len(ending)] + instead in self._lemmas[kind]
            for kind, rules in self._endings.items()
            for ending, instead in rules
        )


@cache
def english_lexicon() -> Lexicon:
    """Return the lexicon; it is read once in a process."""
    return Lexicon()


class WebLexicon(Lexicon):
    """The words of English, and whatever else large web texts use: names, and the commonest misspellings.

    A token of web texts is listed where 59 billion have it about 200 times, 3.4 in a billion; one that the English
    Wikipedia (2 to 3 billion tokens) has 5 times is about as rare. In lower case they are 684,000.

    References
    ----------
    The table of log-probabilities of spacy-lookups-data.
    """

    def __init__(self) -> None:
        super().__init__()
        self._forms |= frozenset(map(str.lower, _table("lexeme_prob")))


@cache
def web_lexicon() -> WebLexicon:
    """Return the lexicon of web texts; it is read once in a process, in about two seconds."""
    return WebLexicon()


@cache
def physical_nouns() -> frozenset[str]:
    """Return the nouns, in American spelling, that mostly name what a photograph can show: objects, matter, weather.

    Those are left out that name the photograph itself or anything ("picture", "subject", "thing").

    References
    ----------
    Chen et al., "Déjà Image-Captions", NAACL 2015, footnote 7: what is under WordNet's synset physical_entity.n.01.
    `tools/language/physical_nouns.py` writes the list.
    """
    return frozenset(PHYSICAL_NOUNS.read_text(encoding="utf-8").split())


def _table(name: str) -> Any:
    """Read a table of spaCy's lookups, without spaCy, which takes a second to import."""
    with (files("spacy_lookups_data") / "data" / f"en_{name}.json.gz").open("rb") as stream:
        return json.loads(gzip.decompress(stream.read()))


def _dictionary() -> frozenset[str]:
    package, name = _DICTIONARY
    lines = (files(package) / name).read_text(encoding="utf-8-sig").splitlines()
    return frozenset(line.partition(" ")[0] for line in lines)
