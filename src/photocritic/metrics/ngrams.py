"""N-grams as integers: every metric counts and compares numbers instead of tuples of words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

ORDERS = 4  # the longest n-gram of BLEU and CIDEr
_SHIFT = 31  # an n-gram's key is its prefix's id and its last word's id side by side in 62 bits


@dataclass(frozen=True)
class Counts:
    """How often each n-gram of one order stands in each sentence; a sparse matrix by coordinates.

    Attributes
    ----------
    sentence, ngram, count : ndarray of int64, shape (E,)
        One entry for each n-gram that a sentence has, sorted by sentence and then by n-gram.
    """

    sentence: Ints
    ngram: Ints
    count: Ints


@dataclass(frozen=True)
class Coded:
    """Sentences whose words are integers.

    Attributes
    ----------
    words : ndarray of int64, shape (T,)
        The words of all sentences, one sentence after the other.
    lengths : ndarray of int64, shape (S,)
        Words in each sentence.
    """

    words: Ints
    lengths: Ints

    def padded(self, sentences: Ints, fill: int) -> NDArray[np.int32]:
        """Lay some sentences out as the columns of a matrix, shape (longest, len(sentences))."""
        lengths = self.lengths[sentences]
        starts = (np.cumsum(self.lengths) - self.lengths)[sentences]
        rows = np.arange(int(lengths.max(initial=0)))[:, None]
        inside = rows < lengths
        matrix = np.full(inside.shape, fill, dtype=np.int32)
        matrix[inside] = self.words[(starts + rows)[inside]]
        return matrix


class CodedIndex:
    """The n-grams, up to order 4, of sentences whose words are integers; those of others can be looked up in it.

    Parameters
    ----------
    coded : Coded
        The sentences.
    words : int
        Number of known words: those from 0 to one less than it.
    """

    def __init__(self, coded: Coded, words: int) -> None:
        self._size = words
        self._keys: list[Ints] = []
        self.coded = coded
        self.counts = self._count(coded, learn=True)

    def sizes(self) -> list[int]:
        """Return the number of known n-grams of each order."""
        return [self._size, *(len(keys) for keys in self._keys)]

    def owners(self, owner: Ints) -> list[Ints]:
        """Count among how many owners' sentences each n-gram stands, for each order.

        Parameters
        ----------
        owner : ndarray of int64, shape (S,)
            Whose each sentence is, such as the image that it describes.
        """
        frequencies = []
        for counts, size in zip(self.counts, self.sizes(), strict=True):
            pairs = distinct(owner[counts.sentence] * max(size, 1) + counts.ngram)
            frequencies.append(np.bincount(pairs % max(size, 1), minlength=size).astype(np.int64))
        return frequencies

    def count(self, coded: Coded) -> list[Counts]:
        """Count the n-grams of other sentences, for each order; unknown ones get numbers above the index's own."""
        return self._count(coded, learn=False)

    def _count(self, coded: Coded, learn: bool) -> list[Counts]:
        owner = np.repeat(np.arange(len(coded.lengths)), coded.lengths)
        left = np.repeat(np.cumsum(coded.lengths), coded.lengths) - np.arange(len(owner))  # words from here to the end
        ids = coded.words
        counts = [_tally(owner, ids)]
        for order in range(2, ORDERS + 1):
            starts = np.flatnonzero(left >= order)
            keys = np.zeros(len(ids), dtype=np.int64)
            keys[starts] = (ids[starts] << _SHIFT) | coded.words[starts + order - 1]
            if learn:
                self._keys.append(distinct(keys[starts]))
            ids = np.zeros_like(keys)
            ids[starts] = _number(keys[starts], self._keys[order - 2])
            counts.append(_tally(owner[starts], ids[starts]))
        return counts


class NgramIndex(CodedIndex):
    """The n-grams of a set of sentences, up to order 4, numbered; others can be looked up in it.

    Parameters
    ----------
    sentences : sequence of sequence of str
        The tokens of each sentence.
    """

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        self._words: dict[str, int] = {}
        coded = _code(sentences, self._words)
        super().__init__(coded, len(self._words))

    def look_up(self, sentences: Sequence[Sequence[str]]) -> tuple[Coded, list[Counts]]:
        """Count the n-grams of other sentences; those not in the index get numbers above its own.

        Parameters
        ----------
        sentences : sequence of sequence of str
            The tokens of each sentence.

        Returns
        -------
        Coded
            The sentences' words.
        list of Counts
            The n-grams of each order, from 1 to 4.
        """
        coded = _code(sentences, dict(self._words))
        return coded, self.count(coded)


def distinct(values: Ints) -> Ints:
    """Return the different values, all 0 or more, in order, much faster than np.unique does."""
    ordered = np.sort(values)
    first: Ints = ordered[np.diff(ordered, prepend=-1) != 0]
    return first


def position_of(entries: Counts, sentence: Ints, ngram: Ints) -> Ints:
    """Find entries by sentence and n-gram.

    Returns
    -------
    ndarray of int64
        For each pair asked for, the index of its entry, or -1 where the sentence has no such n-gram.
    """
    if not len(entries.count):
        return np.full(len(sentence), -1, dtype=np.int64)
    width = 1 + max(int(entries.ngram.max()), int(ngram.max(initial=0)))
    keys, wanted = entries.sentence * width + entries.ngram, sentence * width + ngram
    found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[found] == wanted, found, -1)


def _code(sentences: Sequence[Sequence[str]], words: dict[str, int]) -> Coded:
    ids = [words.setdefault(word, len(words)) for sentence in sentences for word in sentence]
    lengths = [len(sentence) for sentence in sentences]
    return Coded(np.array(ids, dtype=np.int64), np.array(lengths, dtype=np.int64))


def _number(keys: Ints, known: Ints) -> Ints:
    if not len(known):
        return len(known) + np.unique(keys, return_inverse=True)[1].astype(np.int64)
    ids = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    unknown = known[ids] != keys
    ids[unknown] = len(known) + np.unique(keys[unknown], return_inverse=True)[1]
    return ids.astype(np.int64)


def _tally(sentence: Ints, ngram: Ints) -> Counts:
    width = 1 + int(ngram.max(initial=0))
    keys, count = np.unique(sentence * width + ngram, return_counts=True)
    return Counts(keys // width, keys % width, count.astype(np.int64))
