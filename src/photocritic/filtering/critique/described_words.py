"""The words of many comments in columns: what is asked of each, by word, tag and lemma."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from photocritic.filtering.critique.word_table import WordTable
from photocritic.text import Tagged

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SUGGESTING = """
would could should try might maybe perhaps wish if too bit more less instead better rather little slightly
"""
_PLACING = """
background foreground left right top bottom corner edge side center middle behind front above below sky horizon shadow
shadows
"""
_SUGGESTIONS, _PLACES = frozenset(_SUGGESTING.split()), frozenset(_PLACING.split())
_REMEMBERED = 1 << 18  # words that are remembered from one call to the next
_TELLING = ("NN", "JJ", "RB", "VB", "IN")  # tags of words that can make a comment particular


@dataclass(frozen=True)
class DescribedWords:
    """Words of comments, one after another.

    Attributes
    ----------
    total : int
        Comments, N.
    owner : ndarray of int64, (T,)
        The comment of each word.
    lemma : ndarray of int64, (T,)
        Equal numbers for equal lemmas.
    row : ndarray of int64, (T,)
        The word's row in the word table; -1 where the table lacks it.
    rarity, gain, affinity : ndarray of float64, (T,)
        As in the word table.
    kind : dict of str to ndarray of float64, (T,)
        1 where the word is of a kind: `word` (no punctuation), `noun`, `suggestion`, ...
    """

    total: int
    owner: Ints
    lemma: Ints
    row: Ints
    rarity: Floats
    gain: Floats
    affinity: Floats
    kind: dict[str, Floats]

    def where(self, mask: NDArray[np.bool_] | Ints) -> "DescribedWords":
        """Return some of the words."""
        columns = {one.name: getattr(self, one.name)[mask] for one in fields(self) if one.name not in ("total", "kind")}
        return DescribedWords(self.total, kind={name: values[mask] for name, values in self.kind.items()}, **columns)

    def of_kind(self, name: str) -> "DescribedWords":
        """Return the words of a kind."""
        return self.where(self.kind[name] > 0)

    def once(self) -> "DescribedWords":
        """Return each comment's different lemmas."""
        pairs = self.owner * (int(self.lemma.max(initial=0)) + 1) + self.lemma
        return self.where(np.unique(pairs, return_index=True)[1])

    def count(self) -> Floats:
        """Return the number of words of each comment, (N,)."""
        return np.bincount(self.owner, minlength=self.total).astype(np.float64)

    def sum(self, values: Floats) -> Floats:
        """Sum values of words by comment, (N,)."""
        return np.bincount(self.owner, values, minlength=self.total).astype(np.float64)

    def mean(self, values: Floats, missing: float = 0.0) -> Floats:
        """Return the mean of each comment's values, (N,), or `missing` where it has no word."""
        number = self.count()
        return np.where(number > 0, self.sum(values) / np.maximum(number, 1), missing)

    def largest(self, values: Floats, k: int) -> Floats:
        """Sum the k largest values of each comment, (N,)."""
        order = np.lexsort((-values, self.owner))
        owner = self.owner[order]
        chosen = order[np.arange(len(order)) - np.searchsorted(owner, owner) < k]
        return np.bincount(self.owner[chosen], values[chosen], minlength=self.total).astype(np.float64)

    def top(self, values: Floats, k: int = 1, missing: float = 0.0) -> Floats:
        """Return the mean of the k largest values of each comment, (N,), or `missing` where it has no word."""
        number = self.count()
        return np.where(number > 0, self.largest(values, k) / np.clip(number, 1, k), missing)


class WordDescriber:
    """Looks words up, each different one once.

    Parameters
    ----------
    table : WordTable
        What the community's words are like.
    """

    def __init__(self, table: WordTable) -> None:
        self._table = table
        self._forget()

    def describe(self, comments: Sequence[Tagged]) -> DescribedWords:
        """Return the words of tagged comments."""
        if len(self._columns) > _REMEMBERED:
            self._forget()
        numbers = [self._number(word) for tagged in comments for word in zip(*tagged, strict=True)]
        owner = np.repeat(np.arange(len(comments)), [len(tagged.words) for tagged in comments])
        columns = np.array(self._columns or [(0.0,) * (5 + len(KINDS))])[np.array(numbers, np.int64)].T
        lemma, row = columns[:2].astype(np.int64)
        kind = dict(zip(KINDS, columns[5:], strict=True))
        return DescribedWords(len(comments), owner, lemma, row, columns[2], columns[3], columns[4], kind)

    def _forget(self) -> None:
        self._numbers: dict[tuple[str, str, str], int] = {}
        self._lemmas: dict[str, int] = {}
        self._columns: list[tuple[float, ...]] = []

    def _number(self, word: tuple[str, str, str]) -> int:
        if (number := self._numbers.get(word)) is None:
            number = self._numbers[word] = len(self._columns)
            form, tag, lemma = word[0].lower(), word[1], word[2].lower()
            place = self._lemmas.setdefault(lemma, len(self._lemmas))
            row = self._table.row(lemma)
            self._columns.append((place, row, *self._table.of_row(row), *map(float, _kinds(form, tag))))
        return number


# Kinds of words, of style as well as of content: an opinion has "I" and "would", a description has "the" and "in".
KINDS = (
    "word", "noun", "adjective", "telling", "suggestion", "place", "contrast", "number", "past", "pronoun",
    "preposition", "determiner", "you", "I", "the",
)  # fmt: skip


def _kinds(form: str, tag: str) -> tuple[bool, ...]:
    return (
        form[:1].isalnum(), tag.startswith("NN"), tag.startswith("JJ"), form[:1].isalnum() and tag[:2] in _TELLING,
        form in _SUGGESTIONS, form in _PLACES, form in ("n't", "not", "but"), tag == "CD", tag == "VBD",
        tag.startswith("PRP"), tag == "IN", tag == "DT", form in ("you", "your"), form in ("i", "my", "me"),
        form == "the",
    )  # fmt: skip
