"""Elongated words ("woooow") and typos, corrected by the words of the corpus."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from functools import lru_cache
from itertools import islice, product
from pathlib import Path

import numpy as np
import pyarrow as pa

from photocritic.config import Block
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import FittedFilter, Verdicts
from photocritic.filtering.out_of_core import merge_counts, read_arrow, stream_arrow, write_arrow
from photocritic.text import english_lexicon

_WORDS, _TYPOS = "words.arrow", "typos.arrow"
_WORD = re.compile(r"[^\W\d_]+")
_RUN = re.compile(r"(.)\1{2,}")
_MOST_SPELLINGS = 64  # of one word; a word of six runs gets the shortest one
_CORRECTABLE = re.compile(r"[A-Za-z]{5,}")
_RARE = 3  # a typo is seen so often at most ...
_MORE = 50  # ... and what was meant at least so many times as often
_LONGEST = 24
_PAIRS = 10_000_000  # words compared at once: 20 MB of distances


class Spelling(FittedFilter):
    """Shortens elongated words ("woooow") and corrects typos by frequency and edit distance; rejects nothing."""

    paper = "AIC 3"

    class Options(Block):
        """What is corrected."""

        elongations: bool = True
        typos: bool = True

    options: Options

    def observe(self, batch: CommentBatch) -> pa.Table:
        """Count the words."""
        words: Counter[str] = Counter()
        count_words(batch.texts, words)
        return pa.table({"word": pa.array(words, pa.string()), "count": pa.array(words.values(), pa.int64())})

    def combine(self, observed: list[Path], folder: Path) -> None:
        """Sum the counts, and find what is probably a typo of what."""
        words = merge_counts(stream_arrow(observed), "word")
        write_arrow(folder / _WORDS, words)
        found = corrections(_counts(words), english_lexicon()) if self.options.typos else {}
        typos = {"typo": pa.array(found, pa.string()), "word": pa.array(found.values(), pa.string())}
        write_arrow(folder / _TYPOS, pa.table(typos))

    def load(self, folder: Path) -> None:
        """Load the corpus's words and the typos."""
        typos = read_arrow(folder / _TYPOS)
        found = dict(zip(typos.column("typo").to_pylist(), typos.column("word").to_pylist(), strict=True))
        self._correct = corrector(found)
        self._shorten = shortener(_counts(read_arrow(folder / _WORDS)), english_lexicon())

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Correct the texts."""
        texts = batch.texts
        if self.options.elongations:
            texts = [self._shorten(text) for text in texts]
        return Verdicts(texts=[self._correct(text) for text in texts])


def _counts(words: pa.Table) -> dict[str, int]:
    return dict(zip(words.column("word").to_pylist(), words.column("count").to_pylist(), strict=True))


def count_words(texts: Iterable[str], counts: Counter[str]) -> None:
    """Add the lower-case words of texts to `counts`; elongated ones do not count."""
    for text in texts:
        words = _WORD.findall(text.lower())
        counts.update(word for word in words if not _RUN.search(word))


def shortener(counts: Mapping[str, int], lexicon: Container[str]) -> Callable[[str], str]:
    """Return a function that shortens the elongated words of a text.

    Each run of three or more equal letters becomes one or two of them: a spelling from the lexicon if there is one, the
    corpus's most frequent among several, else single letters.

    Parameters
    ----------
    counts : mapping of str to int
        The corpus's words, lower-case (`count_words`).
    lexicon : container of str
        Words of the language, lower-case.

    Returns
    -------
    callable
        From text to text.
    """

    @lru_cache(maxsize=1 << 14)
    def shorten(word: str) -> str:
        spellings = list(islice(_spellings(word), _MOST_SPELLINGS))
        return max(spellings, key=lambda spelling: _plausibility(spelling.lower(), counts, lexicon))

    def resolve_word(match: re.Match[str]) -> str:
        word = match.group()
        return shorten(word) if _RUN.search(word) else word

    def resolve(text: str) -> str:
        return _WORD.sub(resolve_word, text) if _RUN.search(text) else text

    return resolve


def _plausibility(word: str, counts: Mapping[str, int], lexicon: Container[str]) -> tuple[bool, int]:
    """Return the rank of a spelling: words of the language first, then by frequency; equals keep their order."""
    return word in lexicon, counts.get(word, 0)


def _spellings(word: str) -> Iterable[str]:
    """Return every spelling with runs of one or two letters, the shortest first."""
    pieces, end = [], 0
    for run in _RUN.finditer(word):
        pieces += [[word[end : run.start()]], [run[1], run[1] * 2]]
        end = run.end()
    return map("".join, product(*pieces, [word[end:]]))


def corrections(counts: Mapping[str, int], lexicon: Container[str]) -> dict[str, str]:
    """Find what is probably a typo of what.

    A word is a typo when it is rare, is no English word that the lexicon knows, and lies one edit (a letter more, less,
    other, or two exchanged; Damerau 1964) from a far more frequent word with the same first letter. Words that differ
    by an ending alone are left: "sunflare" and "sunflares" are both right.

    Parameters
    ----------
    counts : mapping of str to int
        The corpus's words in lower case.
    lexicon : container of str
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
    """Return a function that corrects the typos of a text; capitals stay as they were at a word's beginning."""

    def correct_word(match: re.Match[str]) -> str:
        word = match.group()
        meant = typos.get(word.lower())
        if meant is None or not word[1:].islower():
            return word
        return meant.capitalize() if word[0].isupper() else meant

    return lambda text: _CORRECTABLE.sub(correct_word, text)


def _misspells(typo: str, word: str) -> bool:
    """Return whether a word is a typo rather than another form of the same word."""
    return not (typo.startswith(word) or word.startswith(typo)) and typo[-3:] not in {"ing", "ers"}
