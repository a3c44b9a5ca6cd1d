"""Training the perceptron tagger on tagged sentences."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from photocritic.text.perceptron import (
    PADS,
    SCALE,
    START_TAGS,
    Weights,
    normalized,
    of_pad,
    of_tag_and_word,
    of_tags,
    of_word,
)

Sentence = Sequence[tuple[str, str]]
_FREQUENT = 20  # a word enters the tag dictionary when it is seen so often
_UNAMBIGUOUS = 0.97  # and has the same tag so often; both as in NLTK


def learn(sentences: Iterable[Sentence], passes: int = 5, seed: int = 7) -> Weights:
    """Train an averaged perceptron on (word, tag) pairs.

    Parameters
    ----------
    sentences : iterable of sequence of (str, str)
        Sentences as words with their tags.
    passes : int
        How often all sentences are seen, each time in another order; NLTK: 5.
    seed : int
        Decides those orders.

    Returns
    -------
    Weights
        The averaged weights.

    References
    ----------
    M. Collins, "Discriminative training methods for hidden Markov models", EMNLP 2002 (averaging, section 2.4).
    """
    corpus = list(sentences)
    learner, shuffle = _Learner(corpus), random.Random(seed).shuffle
    for _ in range(passes):
        for sentence in corpus:
            learner.see(sentence)
        shuffle(corpus)
    return learner.weights()


class _Learner:
    """Weights while they are trained: a row a feature, a column a class."""

    def __init__(self, corpus: Sequence[Sentence]) -> None:
        self.classes = sorted({tag for sentence in corpus for _, tag in sentence}, reverse=True)
        self._column = {tag: column for column, tag in enumerate(self.classes)}
        self.tagdict = _tagdict(corpus)
        self._rows: dict[str, int] = defaultdict(lambda: len(self._rows))
        self._now = np.zeros((1 << 16, len(self.classes)), np.float32)
        self._late = np.zeros(self._now.shape)  # each change times the moment it was made
        self._seen = 0
        self._of_word: dict[str, list[list[int]]] = {}
        self._of_tags: dict[tuple[str, str], list[int]] = {}

    def see(self, sentence: Sentence) -> None:
        """Tag a sentence and learn from the mistakes."""
        context = [*PADS[:2], *(word for word, _ in sentence), *PADS[2:]]
        known = [self._word_rows(word, index < 2 or index > len(sentence) + 1) for index, word in enumerate(context)]
        previous, before = START_TAGS
        for i, (word, truth) in enumerate(sentence, 2):
            if (guess := self.tagdict.get(word)) is None:
                rows = [
                    *known[i][0], *known[i - 1][1], *known[i - 2][2], *known[i + 1][3], *known[i + 2][4],
                    *self._tag_rows(previous, before), self._rows[of_tag_and_word(previous, normalized(word))],
                ]  # fmt: skip
                guess = self._learn(rows, truth)
            previous, before = guess, previous

    def weights(self) -> Weights:
        """Average over all moments and round; features without a weight are dropped."""
        count = len(self._rows)
        mean = self._now[:count] - self._late[:count] / max(1, self._seen)
        units = np.rint(mean * SCALE).astype(np.int32)
        top = np.sort(np.abs(units).max(axis=1, initial=0))[-14:]
        if top.sum() > np.iinfo(np.int16).max:  # a score sums fourteen of them
            raise OverflowError("the perceptron's weights are too large for 16 bits")
        names = sorted(name for name, row in self._rows.items() if units[row].any())
        table = np.zeros((len(names) + 1, len(self.classes)), np.int16)
        table[1:] = units[[self._rows[name] for name in names]]
        return Weights(self.classes, {name: row for row, name in enumerate(names, 1)}, table, self.tagdict)

    def _learn(self, rows: list[int], truth: str) -> str:
        self._make_room()
        self._seen += 1
        right, guess = self._column[truth], int(self._now[rows].sum(axis=0).argmax())
        if guess != right:
            self._now[rows, right] += 1
            self._now[rows, guess] -= 1
            self._late[rows, right] += self._seen
            self._late[rows, guess] -= self._seen
        return self.classes[guess]

    def _make_room(self) -> None:
        if len(self._rows) > len(self._now):
            self._now = np.concatenate([self._now, np.zeros_like(self._now)])
            self._late = np.concatenate([self._late, np.zeros_like(self._late)])

    def _word_rows(self, word: str, is_pad: bool) -> list[list[int]]:
        key = f" {word}" if is_pad else word
        if (found := self._of_word.get(key)) is None:
            names = of_pad(word) if is_pad else of_word(word)
            found = self._of_word[key] = [[self._rows[name] for name in group] for group in names]
        return found

    def _tag_rows(self, previous: str, before: str) -> list[int]:
        if (found := self._of_tags.get((previous, before))) is None:
            found = self._of_tags[previous, before] = [self._rows[name] for name in of_tags(previous, before)]
        return found


def _tagdict(corpus: Sequence[Sentence]) -> dict[str, str]:
    """Return the frequent words that have nearly always the same tag."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in corpus:
        for word, tag in sentence:
            counts[word][tag] += 1
    best = {word: (tags.most_common(1)[0], tags.total()) for word, tags in sorted(counts.items())}
    return {
        word: tag for word, ((tag, hits), total) in best.items() if total >= _FREQUENT and hits / total >= _UNAMBIGUOUS
    }
