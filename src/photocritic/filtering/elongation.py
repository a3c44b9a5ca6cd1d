"""Elongated words ("woooow"), resolved against the words that people really write."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from itertools import islice, product

_WORD = re.compile(r"[^\W\d_]+")
_RUN = re.compile(r"(.)\1{2,}")
_MOST_SPELLINGS = 64  # of one word; who holds down six keys gets the plainest one


def count_words(texts: Iterable[str], counts: Counter[str]) -> None:
    """Add the lower-case words of texts to `counts`; elongated ones do not count."""
    for text in texts:
        words = _WORD.findall(text.lower())
        counts.update(word for word in words if not _RUN.search(word))


def shortener(counts: Mapping[str, int], lexicon: Collection[str]) -> Callable[[str], str]:
    """Make a function that shortens the elongated words of a text.

    Each run of three or more equal letters becomes one or two of them: a spelling from the lexicon if there is one, the
    corpus's most frequent among several, else single letters.

    Parameters
    ----------
    counts : mapping of str to int
        The corpus's words, lower-case (`count_words`).
    lexicon : collection of str
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


def _plausibility(word: str, counts: Mapping[str, int], lexicon: Collection[str]) -> tuple[bool, int]:
    """Rank a spelling: words of the language first, then by frequency in the corpus; equals keep their order."""
    return word in lexicon, counts.get(word, 0)


def _spellings(word: str) -> Iterable[str]:
    """Give every spelling with runs of one or two letters, the shortest first."""
    pieces, end = [], 0
    for run in _RUN.finditer(word):
        pieces += [[word[end : run.start()]], [run[1], run[1] * 2]]
        end = run.end()
    return map("".join, product(*pieces, [word[end:]]))
