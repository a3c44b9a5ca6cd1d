"""Tagging many texts at once: in each step numpy tags every word whose two predecessors have their tags."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from photocritic.text.perceptron import (
    PADS,
    POSITIONS,
    START_TAGS,
    Weights,
    normalized,
    of_pad,
    of_tag_and_word,
    of_tags,
    of_word,
)

_TYPES = 1 << 16  # word types whose sums are remembered; when there are more, all are forgotten before the next texts
_SIGHT = 2  # a decision sees so many words on either side, and as many tags on the left
_ROOM = 1 << 12  # types that the tables first have room for


class WordTypes:
    """Numbers the word types of texts, and sums each type's weights once for each position it can stand in.

    Parameters
    ----------
    weights : Weights
        The perceptron.

    Attributes
    ----------
    sums : ndarray of int16, shape (positions, types, classes)
        What a word adds to its own scores, and as a neighbour to another's (`POSITIONS`); first the four `PADS`.
    after : ndarray of int32, shape (types, classes + 1)
        The weights' row for "this word after that tag"; the last column stands for the beginning of a text.
    fixed : ndarray of int16, shape (types,)
        The class that the tag dictionary gives, or -1.
    """

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._column = {tag: column for column, tag in enumerate([*weights.classes, START_TAGS[0]])}
        self._after = self._rows_by_form()
        self.clear()

    def __len__(self) -> int:
        return len(self._number)

    def clear(self) -> None:
        """Remove all types but the pads."""
        classes = len(self._weights.classes)
        self._number = _Numbers()
        self.sums = np.zeros((len(POSITIONS), _ROOM, classes), np.int16)
        self.after = np.zeros((_ROOM, classes + 1), np.int32)
        self.fixed = np.full(_ROOM, -1, np.int16)
        for pad in PADS:
            self._number[f" {pad}"] = len(self._number)  # no word has a space before it
        self._sum_up(0, [of_pad(pad) for pad in PADS])

    def numbers(self, words: Iterable[str]) -> NDArray[np.int32]:
        """Return the number of each word; a type never seen gets the next one, and its sums."""
        known = len(self._number)
        found = np.fromiter(map(self._number.__getitem__, words), np.int32)
        if len(self._number) > known:
            self._learn(known)
        return found

    def _learn(self, first: int) -> None:
        new = list(self._number)[first:]
        while len(self._number) > len(self.fixed):
            self.sums = np.concatenate([self.sums, np.zeros_like(self.sums)], axis=1)
            self.after = np.concatenate([self.after, np.zeros_like(self.after)])
            self.fixed = np.concatenate([self.fixed, np.full_like(self.fixed, -1)])
        self._sum_up(first, [of_word(word) for word in new])
        for number, word in enumerate(new, first):
            for column, row in self._after.get(normalized(word), ()):
                self.after[number, column] = row
            if (tag := self._weights.tagdict.get(word)) is not None:
                self.fixed[number] = self._column[tag]

    def _sum_up(self, first: int, features: list[tuple[tuple[str, ...], ...]]) -> None:
        """Add the weights of types, whose features come by position."""
        row, table = self._weights.rows.get, self._weights.table
        for position, names in enumerate(zip(*features, strict=True)):
            rows = np.array([[row(name, 0) for name in of_type] for of_type in names], np.intp)
            self.sums[position, first : first + len(rows)] = table[rows].sum(axis=1, dtype=np.int16)

    def _rows_by_form(self) -> dict[str, list[tuple[int, int]]]:
        """Collect, for each normalized word, the tags that it is known to follow and the rows of those features."""
        prefix = of_tag_and_word("", "").rstrip() + " "
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for name, row in self._weights.rows.items():
            if name.startswith(prefix):
                previous, _, form = name.removeprefix(prefix).partition(" ")
                found[form].append((self._column[previous], row))
        return dict(found)


class _Numbers(dict[str, int]):
    """Numbers of keys, in the order in which they are first looked up."""

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number


class Decoder:
    """Greedy tagging from left to right, of all texts in step.

    A word of the tag dictionary has its tag from the start. Other words that stand more than two places apart do not
    wait for each other; so the number of steps is that of the longest run of such words, not of words in a text.

    Parameters
    ----------
    weights : Weights
        The perceptron.

    Attributes
    ----------
    classes : list of str
        The tag of each class.
    """

    def __init__(self, weights: Weights) -> None:
        self.classes = weights.classes
        self._table = weights.table
        self._types = WordTypes(weights)
        self._of_tags = self._tag_sums(weights)

    def decode(self, texts: Sequence[Sequence[str]]) -> NDArray[np.int16]:
        """Return the class of every word of texts that are split into words, one text after the other.

        Parameters
        ----------
        texts : sequence of sequence of str
            The words of each text.

        Returns
        -------
        ndarray of int16, shape (words of all texts,)
            Indices into `classes`.
        """
        if len(self._types) > _TYPES:
            self._types.clear()
        numbers = self._types.numbers(chain.from_iterable(texts))
        lengths = np.fromiter(map(len, texts), np.intp, len(texts))
        # All texts stand in one line, each between two pads on the left and two on the right.
        line = np.empty(len(numbers) + 2 * _SIGHT * len(texts), np.int32)
        tags = np.empty(len(line), np.int16)
        ends = np.cumsum(lengths + 2 * _SIGHT)
        starts = ends - lengths - 2 * _SIGHT
        for pad, places in enumerate((starts, starts + 1, ends - 2, ends - 1)):
            line[places] = pad
        tags[starts + 1], tags[starts] = len(self.classes), len(self.classes) + 1
        words = np.arange(len(numbers)) + np.repeat(2 * _SIGHT * np.arange(len(texts)) + _SIGHT, lengths)
        line[words], tags[words] = numbers, self._types.fixed[numbers]
        self._tag(line, tags, words[tags[words] < 0])
        return tags[words]

    def _tag(self, line: NDArray[np.int32], tags: NDArray[np.int16], places: NDArray[np.intp]) -> None:
        """Fill in the tags at some places of the line."""
        step = _steps(places)
        places = places[np.argsort(step, kind="stable")]
        sums, after = self._types.sums, self._types.after
        scores = sums[0].take(line[places], axis=0)
        for position, offset in enumerate((-1, -2, 1, 2), 1):
            scores += sums[position].take(line[places + offset], axis=0)
        for first, last in pairwise([0, *np.cumsum(np.bincount(step)).tolist()]):
            here = places[first:last]
            previous, before = tags[here - 1], tags[here - 2]
            of_step = scores[first:last]
            of_step += self._of_tags[previous, before]
            of_step += self._table.take(after[line[here], previous], axis=0)
            tags[here] = of_step.argmax(axis=1)

    def _tag_sums(self, weights: Weights) -> NDArray[np.int16]:
        """Sum the weights of each pair of tags on the left, the beginning of a text among them."""
        previous = [*weights.classes, *START_TAGS]
        rows = [[[weights.rows.get(name, 0) for name in of_tags(a, b)] for b in previous] for a in previous]
        sums: NDArray[np.int16] = weights.table[np.array(rows)].sum(axis=2, dtype=np.int16)
        return sums


def _steps(places: NDArray[np.intp]) -> NDArray[np.intp]:
    """Number the places of each run in which none stands further than two from the one before."""
    index = np.arange(len(places))
    begins = np.diff(places, prepend=-_SIGHT - 1) > _SIGHT
    return index - np.maximum.accumulate(np.where(begins, index, 0))
