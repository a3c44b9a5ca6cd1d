"""Tagging many texts at once: in each step numpy tags every word whose two predecessors have their tags."""

from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from photocritic.text.fast.features import START_TAGS, of_tags
from photocritic.text.fast.types import WordTypes
from photocritic.text.fast.weights import Weights

_TYPES = 1 << 16  # word types whose sums are remembered; when there are more, all are forgotten before the next texts
_SIGHT = 2  # a decision sees so many words on either side, and as many tags on the left


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
        """Give the class of every word of texts that are split into words, one text after the other.

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
