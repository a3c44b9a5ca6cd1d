"""How varied a set of generated captions is, without looking at references."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

import numpy as np

from photocritic.metrics.metric import Column, Floats, Tokens
from photocritic.metrics.repetition import self_bleu
from photocritic.text import STOPWORDS

ORDERS = (1, 2, 4)  # AIC Figure 5 a-c
POSITIONS = 25  # AIC 6.3.2: captions of photographs are longer than COCO's, where 13 were used
THRESHOLD = 0.03  # AIC 6.3.2: share of common words below which two captions count as different
_BLOCK = 512  # captions compared with all others at once

COLUMNS = {
    "diversity": Column(
        "diversity", "share of pairs of captions with hardly a word in common (AIC Figure 5 d)", form=".1%"
    ),
    "diversity_content": Column(
        "diversity, content words", "share of pairs of captions without a content word in common", form=".1%"
    ),
    "distinct_1": Column("distinct-1", "different words over all words"),
    "distinct_2": Column("distinct-2", "different word pairs over all word pairs"),
    "self_bleu_4": Column(
        "mBLEU-4",
        "mBLEU: mean BLEU-4 of each caption against all others (Zhu et al. 2018); less is more varied",
        better="lower",
    ),
    "vocabulary": Column("vocabulary", "different words used", form=",.0f"),
    "words": Column("words", "words in a caption, on average", better="neither", form=".1f"),
    "most_frequent_share": Column(
        "most frequent share",
        "share of the images that get the most frequent caption; less is better",
        better="lower",
        form=".1%",
    ),
    "novel_share": Column(
        "novel share",
        "share of the captions that do not stand word for word among the training captions",
        form=".1%",
    ),
}  # in the order of the tables

Denominator = Literal["union", "shorter", "longer"]


def unique_by_position(
    captions: Sequence[Tokens], orders: Sequence[int] = ORDERS, positions: int = POSITIONS
) -> dict[int, list[int]]:
    """Count the different n-grams that start at each position of a caption.

    Parameters
    ----------
    captions : sequence of sequence of str
        The tokens of each caption.
    orders : sequence of int
        Lengths of n-grams.
    positions : int
        How many positions, from the caption's start.

    Returns
    -------
    dict of int to list of int
        For each order, the count at each of the positions.

    References
    ----------
    AIC section 6.3.2 and Figure 5 (a)-(c), after Aneja et al. 2018, Convolutional Image Captioning.
    """
    seen: dict[int, list[set[Tokens]]] = {order: [set() for _ in range(positions)] for order in orders}
    for caption in {tuple(caption) for caption in captions}:
        for order, sets in seen.items():
            for start in range(min(positions, len(caption) - order + 1)):
                sets[start].add(caption[start : start + order])
    return {order: [len(found) for found in sets] for order, sets in seen.items()}


def distinct(captions: Sequence[Tokens], order: int) -> float:
    """Return the share of n-grams that are different: unique ones over all, 0 where there are none.

    References
    ----------
    Li et al. 2016, A Diversity-Promoting Objective Function for Neural Conversation Models, section 5.
    """
    found = Counter(
        tuple(caption[start : start + order]) for caption in captions for start in range(len(caption) - order + 1)
    )
    return len(found) / max(1, found.total())


def overall(captions: Sequence[Tokens], threshold: float = THRESHOLD, denominator: Denominator = "union") -> float:
    """Return the share of pairs of captions that are different, having hardly a word in common.

    Two captions are different if their common words, each counted once, are less than `threshold` of a
    denominator. Neither AIC nor the work it follows says of what; here it is the words that either has (union), or
    those of the shorter or the longer caption. Where captions have fewer than 1/threshold words, as they nearly
    always do, all three mean the same: not one word in common.

    Parameters
    ----------
    captions : sequence of sequence of str
        The tokens of each of N captions.
    threshold : float
        Share of common words, above 0.
    denominator : {"union", "shorter", "longer"}
        What the number of common words is divided by.

    Returns
    -------
    float
        Between 0 (all alike) and 1; 0 for fewer than two captions. Two empty captions are alike, an empty and
        another one are different.

    Notes
    -----
    Captions with the same words are counted together, then the common words of all pairs are blocks of one product: a
    sparse matrix times a dense one, because nearly all pairs have a word such as "a" in common.

    References
    ----------
    AIC section 6.3.2 and Figure 5 (d), after Chang et al. 2017, Aesthetic Critiques Generation for Photos.
    """
    if len(captions) < 2:
        return 0.0
    groups = Counter(tuple(sorted(set(caption))) for caption in captions)
    sizes = np.array(list(groups.values()), dtype=np.int64)
    alike = int((sizes * (sizes - 1)).sum()) + _alike_pairs(list(groups), sizes, threshold, denominator)
    return 1.0 - alike / (len(captions) * (len(captions) - 1))


def content_words(captions: Sequence[Tokens]) -> list[Tokens]:
    """Leave out function words.

    By all words any two captions of a sentence each are alike, since both have "the" or "of", and remarks of two words
    ("nice shot", "great colours") are not: the less captions say, the more diverse they are, where AIC's Figure 5 (d)
    has it the other way round. Content words alone give no such reward.

    Parameters
    ----------
    captions : sequence of sequence of str
        The tokens of each caption.
    """
    return [tuple(word for word in caption if word not in STOPWORDS) for caption in captions]


def _alike_pairs(sets: list[tuple[str, ...]], sizes: np.ndarray, threshold: float, denominator: Denominator) -> int:
    """Count the ordered pairs of captions that are alike though their sets of words differ."""
    from scipy.sparse import csr_array

    below: Callable[[Floats, Floats, Floats], Floats] = {
        "union": lambda one, other, common: one + other - common,
        "shorter": lambda one, other, _: np.minimum(one, other),
        "longer": lambda one, other, _: np.maximum(one, other),
    }[denominator]
    numbers: dict[str, int] = {}
    columns = [numbers.setdefault(word, len(numbers)) for words in sets for word in words]
    lengths = np.array([len(words) for words in sets], dtype=np.float64)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    has = csr_array((np.ones(len(columns), dtype=np.float32), columns, starts), shape=(len(sets), max(1, len(numbers))))
    sizes = sizes.astype(np.float64)
    alike = 0.0
    for first in range(0, len(sets), _BLOCK):
        block, later = slice(first, first + _BLOCK), slice(first, None)  # the pairs before are the mirror image
        common = has[later] @ has[block].T.toarray()
        pairs = (common > 0) & (common >= threshold * below(lengths[later, None], lengths[block], common))
        pairs[: common.shape[1]] &= np.tri(common.shape[1], k=-1, dtype=bool)  # each pair once, none with itself
        alike += 2.0 * float(sizes[later] @ (pairs @ sizes[block]))
    return int(alike)


def vocabulary_size(captions: Iterable[Tokens]) -> int:
    """Count the different words."""
    return len({word for caption in captions for word in caption})


def most_frequent_share(captions: Sequence[Tokens]) -> float:
    """Return the share of the captions that are word for word the most frequent one."""
    if not captions:
        return 0.0
    return max(Counter(tuple(caption) for caption in captions).values()) / len(captions)


def novel_share(captions: Sequence[Tokens], known: AbstractSet[tuple[str, ...]]) -> float:
    """Return the share of the captions that do not stand word for word among the known ones."""
    if not captions:
        return 0.0
    return sum(tuple(caption) not in known for caption in captions) / len(captions)


def summary(captions: Sequence[Tokens], known: AbstractSet[tuple[str, ...]] | None = None) -> dict[str, float]:
    """Return every number of this module but the curves.

    Parameters
    ----------
    captions : sequence of sequence of str
        The tokens of each caption.
    known : set of tuple of str, optional
        The tokens of the captions that were trained on; without them there is no novel_share.

    Returns
    -------
    dict of str to float
        Keys diversity, diversity_content, distinct_1, distinct_2, self_bleu_4 (the mean over captions), vocabulary,
        words, most_frequent_share, novel_share.
    """
    result = {
        "diversity": overall(captions),
        "diversity_content": overall(content_words(captions)),
        "distinct_1": distinct(captions, 1),
        "distinct_2": distinct(captions, 2),
        "self_bleu_4": float(self_bleu(captions).mean()) if captions else 0.0,
        "vocabulary": float(vocabulary_size(captions)),
        "words": sum(len(caption) for caption in captions) / max(1, len(captions)),
        "most_frequent_share": most_frequent_share(captions),
    }
    if known is not None:
        result["novel_share"] = novel_share(captions, known)
    return result
