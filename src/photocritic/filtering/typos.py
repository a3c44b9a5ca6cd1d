"""Typos, found by frequency and edit distance among the corpus's own words."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping

import numpy as np

_WORD = re.compile(r"[A-Za-z]{5,}")
_RARE = 3  # a typo is seen so often at most ...
_MORE = 50  # ... and what was meant at least so many times as often
_LONGEST = 24
_PAIRS = 10_000_000  # words compared at once: 20 MB of distances


def corrections(counts: Mapping[str, int], lexicon: Collection[str]) -> dict[str, str]:
    """Find what is probably a typo of what.

    A word is a typo when it is rare, is no English word that the lexicon knows, and lies one edit (a letter more, less,
    other, or two exchanged; Damerau 1964) from a far more frequent word with the same first letter. Words that differ
    by an ending alone are left: "sunflare" and "sunflares" are both right.

    Parameters
    ----------
    counts : mapping of str to int
        The corpus's words in lower case.
    lexicon : collection of str
        English words.

    Returns
    -------
    dict of str to str
        The correction of each typo, the most frequent of several.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    rare, frequent = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for word, count in counts.items():
        if not (word.isascii() and word.isalpha() and len(word) <= _LONGEST):
            continue
        if count <= _RARE and len(word) > 4 and word not in lexicon:
            rare[word[0]].append(word)
        elif count >= _MORE and len(word) > 3:
            frequent[word[0]].append(word)
    found = {}
    for letter, words in rare.items():
        meant = frequent[letter]
        if not meant:
            continue
        at_once = max(1, _PAIRS // len(meant))
        for start in range(0, len(words), at_once):
            some = words[start : start + at_once]
            near = process.cdist(some, meant, scorer=OSA.distance, score_cutoff=1, workers=1, dtype=np.uint8) == 1
            for typo, row in zip(some, near, strict=True):
                candidates = [meant[place] for place in row.nonzero()[0]]
                likely = [
                    word for word in candidates if _misspells(typo, word) and counts[word] >= _MORE * counts[typo]
                ]
                if likely:
                    found[typo] = max(likely, key=lambda word: (counts[word], word))
    return dict(sorted(found.items()))


def corrector(typos: Mapping[str, str]) -> Callable[[str], str]:
    """Make a function that corrects the typos of a text; capitals stay as they were at a word's beginning."""

    def correct_word(match: re.Match[str]) -> str:
        word = match.group()
        meant = typos.get(word.lower())
        if meant is None or not word[1:].islower():
            return word
        return meant.capitalize() if word[0].isupper() else meant

    return lambda text: _WORD.sub(correct_word, text)


def _misspells(typo: str, word: str) -> bool:
    """Tell a typo from another form of the same word."""
    return not (typo.startswith(word) or word.startswith(typo)) and typo[-3:] not in {"ing", "ers"}
