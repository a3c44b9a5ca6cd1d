"""A trigram language model with modified Kneser-Ney smoothing, one a style, for perplexities."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from photocritic.core.errors import TrainingError
from photocritic.core.files import atomic_file

START, END, UNKNOWN = "<s>", "</s>", "<unk>"

Gram = tuple[str, ...]
Discounts = tuple[float, float, float]  # taken off counts of one, two, and three or more

_FALLBACK: Discounts = (0.5, 1.0, 1.5)  # where a corpus is too small to estimate them


@dataclass
class _Context:
    """What was seen after some words.

    Attributes
    ----------
    counts : Counter
        How often each word followed (in lower orders: in how many contexts).
    total : int
        Their sum.
    kinds : list of int
        How many words followed once, twice, and three times or more.
    """

    counts: Counter[str] = field(default_factory=Counter)
    total: int = 0
    kinds: list[int] = field(default_factory=lambda: [0, 0, 0])

    def close(self) -> None:
        """Sum up, once all counts are in."""
        self.total = sum(self.counts.values())
        for count in self.counts.values():
            self.kinds[min(count, 3) - 1] += 1


class TrigramModel:
    """Interpolated modified Kneser-Ney, as SRILM's `-kndiscount -interpolate`.

    Other than SRILM's perplexity, unknown words are not skipped but pay for being unknown: a generated caption should
    not become likelier by a strange word.

    NLTK's `KneserNeyInterpolated` computes the same where it is given the same discounts, which a test checks, but does
    not serve here: it searches all contexts for every word (docs/metrics.md gives the time), gives unknown words a
    probability of 0, and its probabilities of a sentence's first word sum to more than 1.

    Parameters
    ----------
    sentences : iterable of sequence of str
        Lower-case words.
    discounts : sequence of Discounts, optional
        One for each order, that of single words first; estimated from the counts where None.

    References
    ----------
    Chen and Goodman 1999, An empirical study of smoothing techniques for language modeling, section 4.1.6.
    ERG section 4.4.
    """

    order = 3

    def __init__(self, sentences: Iterable[Sequence[str]], discounts: Sequence[Discounts] | None = None) -> None:
        self._fit(Counter(gram for words in sentences for gram in _grams(words, self.order)), discounts)

    def save(self, path: Path) -> None:
        """Write the counts of the longest n-grams, which all else is computed from, as JSON."""
        rows = [[list(gram), count] for gram, count in self._top.items()]
        with atomic_file(path) as temporary:
            temporary.write_text(json.dumps(rows, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> "TrigramModel":
        """Read what `save` wrote.

        Raises
        ------
        TrainingError
            The file is missing or damaged.
        """
        model = cls.__new__(cls)
        try:
            rows = json.loads(path.read_text(encoding="utf-8"))
            model._fit(Counter({tuple(gram): int(count) for gram, count in rows}), None)
        except (OSError, ValueError, TypeError) as error:
            raise TrainingError(f"{path}: damaged language model ({error}); run style_judges again") from None
        return model

    def _fit(self, top: Counter[Gram], discounts: Sequence[Discounts] | None) -> None:
        self._top = top
        self.vocabulary = frozenset(gram[-1] for gram in top) | {END, UNKNOWN}
        orders = _lower_orders(top, self.order)[::-1]
        self._contexts = [_by_context(counts) for counts in orders]
        self._discounts = discounts or [_estimate_discounts(counts.values()) for counts in orders]

    def probability(self, word: str, history: Sequence[str]) -> float:
        """Compute the probability of a word after the words before it.

        Parameters
        ----------
        word : str
            The word, or `END`.
        history : sequence of str
            All words of the sentence before it; empty at its beginning.

        Returns
        -------
        float
            Above 0; over the vocabulary (with `END` and `UNKNOWN`) it sums to 1.
        """
        known = word if word in self.vocabulary else UNKNOWN
        context = (START, *history)[-(self.order - 1) :]
        probability = 1.0 / len(self.vocabulary)
        for length in range(len(context) + 1):
            seen = self._contexts[length].get(context[len(context) - length :])
            if seen is None:
                break
            probability = _interpolate(seen, known, self._discounts[length], probability)
        return probability

    def log_probability(self, words: Sequence[str]) -> float:
        """Compute the natural logarithm of a sentence's probability, its end included."""
        ended = [*words, END]
        return sum(math.log(self.probability(word, ended[:place])) for place, word in enumerate(ended))

    def perplexity(self, *sentences: Sequence[str]) -> float:
        """Compute the perplexity of one sentence, or of several together: per word, ends counted as words."""
        words = sum(len(sentence) + 1 for sentence in sentences)
        return math.exp(-sum(self.log_probability(sentence) for sentence in sentences) / words)


def _grams(words: Sequence[str], order: int) -> Iterable[Gram]:
    padded = (START, *words, END)
    for end in range(2, len(padded) + 1):
        yield padded[max(0, end - order) : end]


def _lower_orders(top: Counter[Gram], order: int) -> list[Counter[Gram]]:
    """Return the counts of every order, the highest first.

    Lower orders count distinct predecessors instead of occurrences; what begins a sentence has none, and is counted.
    """
    levels: list[Counter[Gram]] = [Counter() for _ in range(order)]
    for gram, count in top.items():
        levels[order - len(gram)][gram] = count
    for level in range(order - 1):
        for gram in levels[level]:
            levels[level + 1][gram[1:]] += 1
    return levels


def _by_context(counts: Counter[Gram]) -> dict[Gram, _Context]:
    contexts: dict[Gram, _Context] = defaultdict(_Context)
    for gram, count in counts.items():
        contexts[gram[:-1]].counts[gram[-1]] += count
    for context in contexts.values():
        context.close()
    return dict(contexts)


def _estimate_discounts(counts: Iterable[int]) -> Discounts:
    """Estimate what is taken off counts of one, two, and three or more (Chen and Goodman 1999, Eq. 26)."""
    kinds = Counter(counts)
    one, two, three, four = (kinds[count] for count in range(1, 5))
    if not (one and two and three):
        return _FALLBACK
    share = one / (one + 2 * two)
    first = 1 - 2 * share * two / one
    second = 2 - 3 * share * three / two
    third = 3 - 4 * share * four / three
    return (min(max(first, 0.1), 0.95), min(max(second, 0.1), 1.95), min(max(third, 0.1), 2.95))


def _interpolate(seen: _Context, word: str, discounts: Discounts, lower: float) -> float:
    count = seen.counts.get(word, 0)
    kept = count - discounts[min(count, 3) - 1] if count else 0.0
    freed = sum(discount * kind for discount, kind in zip(discounts, seen.kinds, strict=True))
    return (kept + freed * lower) / seen.total
