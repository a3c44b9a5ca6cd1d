"""What a comment's words say of its worth: numbers with names, and the mean of its words' vectors."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from photocritic.filtering.critique.described_words import DescribedWords, Floats, WordDescriber
from photocritic.filtering.critique.word_table import WordTable
from photocritic.text import Tagged

_MOST = 6  # of a comment's words, the most particular; if all counted, long comments would win by their length
_SHARES = ("noun", "adjective", "suggestion", "past", "pronoun", "preposition", "determiner", "you", "I", "the")
_COUNTS = ("suggestion", "place", "contrast", "number")
_NONE = -1.0  # affinity of a comment without a word that could be particular

NAMES = (
    "words", "different nouns", "adjectives", *(f"{kind} (share)" for kind in _SHARES), *_COUNTS,
    *(
        f"{what} of {words}, {how}"
        for what in ("rarity", "gain") for words in ("words", "nouns") for how in ("mean", "most", "sum")
    ),
    "gain of words, three most",
    "affinity of words, sum", "affinity of nouns, sum", "affinity of words, most", "affinity of words, three most",
    "affinity of words, mean", "affinity of nouns, most", "affinity of nouns, mean", "specificity",
)  # fmt: skip


class Signals(NamedTuple):
    """What is known of some comments.

    Attributes
    ----------
    values : ndarray of float64, (N, len(NAMES))
        The signals; sums and counts as log(1 + x), so that long comments do not count for as much as they are long.
    meaning : ndarray of float64, (N, 2 D)
        The mean of the unit vectors of a comment's words, and that of its nouns; 0 where there are none.
    """

    values: Floats
    meaning: Floats


class SignalExtractor:
    """Computes the signals of tagged comments.

    Parameters
    ----------
    table : WordTable
        What the community's words are like.
    """

    def __init__(self, table: WordTable) -> None:
        self._table = table
        self._describer = WordDescriber(table)

    def extract(self, comments: Sequence[Tagged]) -> Signals:
        """Return the signals of some comments."""
        every = self._describer.describe(comments)
        words, nouns = every.of_kind("word"), every.of_kind("noun")
        values = [*_style(every, words, nouns), *_rarity_and_gain(every, words, nouns), *_affinity(words, nouns)]
        meaning = np.hstack([self._mean_vector(every), self._mean_vector(nouns)])
        return Signals(np.stack([*values, np.log1p(_specificity(words))], axis=1), meaning)

    def specificity(self, comments: Sequence[Tagged]) -> Floats:
        """Compute how particular comments are, without anybody's judgement, (N,).

        Returns
        -------
        ndarray of float64
            The sum over a comment's most particular words, six at most, of gain times affinity (`WordTable`), where the
            affinity is above 0.
        """
        return _specificity(self._describer.describe(comments).of_kind("word"))

    def particular_words(self, comment: Tagged) -> dict[str, float]:
        """Return what words add to a comment's specificity, the largest first."""
        worth: dict[str, float] = {}
        for lemma in {
            lemma.lower() for word, lemma in zip(comment.words, comment.lemmas, strict=True) if word[0].isalnum()
        }:
            _, gain, affinity = self._table.of_row(self._table.row(lemma))
            worth[lemma] = gain * max(affinity, 0.0)
        ordered = sorted(worth.items(), key=lambda entry: (-entry[1], entry[0]))[:_MOST]
        return {lemma: value for lemma, value in ordered if value}

    def _mean_vector(self, words: DescribedWords) -> Floats:
        known = words.where(words.row >= 0)
        number = np.maximum(known.count(), 1)
        shape = (words.total, len(self._table.keys))
        weights = sparse.csr_matrix((1 / number[known.owner], (known.owner, known.row)), shape)
        return np.asarray(weights @ self._table.vectors, np.float64)


def _specificity(words: DescribedWords) -> Floats:
    once = words.once()
    return once.largest(once.gain * np.maximum(once.affinity, 0), _MOST)


def _style(every: DescribedWords, words: DescribedWords, nouns: DescribedWords) -> list[Floats]:
    counts = {kind: every.sum(values) for kind, values in every.kind.items()}
    number = np.maximum(words.count(), 1)
    sizes = [words.count(), nouns.once().count(), counts["adjective"]]
    return [*map(np.log1p, sizes), *(counts[kind] / number for kind in _SHARES), *(counts[kind] for kind in _COUNTS)]


def _rarity_and_gain(every: DescribedWords, words: DescribedWords, nouns: DescribedWords) -> list[Floats]:
    pairs = ((every, every.rarity), (nouns, nouns.rarity), (words, words.gain), (nouns, nouns.gain))
    spread = [(of.mean(values), of.top(values), np.log1p(np.maximum(of.sum(values), 0))) for of, values in pairs]
    return [*(value for three in spread for value in three), words.top(words.gain, 3)]


def _affinity(words: DescribedWords, nouns: DescribedWords) -> list[Floats]:
    telling = words.of_kind("telling")
    sums = (np.log1p(of.sum(np.maximum(of.affinity, 0))) for of in (words, nouns))
    tops = (telling.top(telling.affinity, k, _NONE) for k in (1, 3))
    rest = words.mean(words.affinity, _NONE), nouns.top(nouns.affinity, 1, _NONE), nouns.mean(nouns.affinity, _NONE)
    return [*sums, *tops, *rest]
