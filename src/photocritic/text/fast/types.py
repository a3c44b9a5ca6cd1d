"""Word types by number, with all that the perceptron's score of a word owes to words alone, summed once a type."""

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from photocritic.text.fast.features import PADS, POSITIONS, START_TAGS, normalised, of_pad, of_tag_and_word, of_word
from photocritic.text.fast.weights import Weights

_ROOM = 1 << 12  # types that the tables first have room for


class WordTypes:
    """Numbers the word types of texts, and keeps the sum of each type's weights for each position it can stand in.

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
        """Forget all types but the pads."""
        classes = len(self._weights.classes)
        self._number = _Numbers()
        self.sums = np.zeros((len(POSITIONS), _ROOM, classes), np.int16)
        self.after = np.zeros((_ROOM, classes + 1), np.int32)
        self.fixed = np.full(_ROOM, -1, np.int16)
        for pad in PADS:
            self._number[f" {pad}"] = len(self._number)  # no word has a space before it
        self._sum_up(0, [of_pad(pad) for pad in PADS])

    def numbers(self, words: Iterable[str]) -> NDArray[np.int32]:
        """Give the number of each word; a type never seen gets the next one, and its sums."""
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
            for column, row in self._after.get(normalised(word), ()):
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
        """Collect, for each normalised word, the tags that it is known to follow and the rows of those features."""
        prefix = of_tag_and_word("", "").rstrip() + " "
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for name, row in self._weights.rows.items():
            if name.startswith(prefix):
                previous, _, form = name.removeprefix(prefix).partition(" ")
                found[form].append((self._column[previous], row))
        return dict(found)


class _Numbers(dict[str, int]):
    """Numbers keys in the order in which they are first asked for."""

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number
