"""What a community's words are like: what they mean, how rare they are, how far they belong to single photographs."""

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from photocritic.text import Tagged

Floats = NDArray[np.float32]

# Words of praise and talk that stand under any photograph, and words for what is seen in one and how it is: the two
# ends that the other words are compared with. They were chosen by hand; no judged comment has taught them.
_PRAISING = """
nice great love lovely awesome amazing beautiful excellent cool fantastic wonderful perfect favorite shot photo picture
image photograph pic work job capture composition idea luck congrats congratulation thanks entry challenge ribbon score
vote like well good very really interesting creative done
"""
_NAMING = """
background foreground left right top bottom corner edge side sky horizon water tree face eye hand hair leaf flower grass
wall window building road car boat dog bird shadow blurry dark bright overexposed tilt crop blue red white black yellow
green behind distracting blow soft sharp too
"""
SAFE, PARTICULAR = tuple(_PRAISING.split()), tuple(_NAMING.split())
_UNKNOWN = 0.15  # affinity of a word that the table lacks: seldom used, so more often a thing than praise
_SHRINK = 5.0  # uses of the average word that a word's own mean gain is shrunk by
_LEAST = 3  # uses of a word that enters the table
_WIDTH, _WINDOW, _EPOCHS = 100, 5, 15  # of word2vec; other windows, and 200 numbers a word, change little


@dataclass(frozen=True)
class WordTable:
    """Words by their lemmas, which are kept as hashes: the table holds numbers and no text.

    Attributes
    ----------
    keys : ndarray of uint32, (V,)
        The lemmas' hashes (`hashed`), sorted.
    vectors : ndarray of float32, (V, D)
        Unit vectors; words that are used alike have similar ones.
    rarity : ndarray of float32, (V,)
        The negative logarithm of the share of comments that have the word.
    gains : ndarray of float32, (V,)
        The mean of how much more often the word stands in a photograph's other comments than in the community's
        (the positive logarithm of the ratio, as in `scores.agreement_score`): high where a word belongs to photographs.
    comments : int
        How many comments the table was learned from.
    affinity : ndarray of float32, (V,)
        Cosine to words for what is seen, less the cosine to words of praise (`PARTICULAR`, `SAFE`).
    unseen_gain : float
        The gain of a word that the table lacks.
    """

    keys: NDArray[np.uint32]
    vectors: Floats
    rarity: Floats
    gains: Floats
    comments: int
    affinity: Floats = field(init=False)
    unseen_gain: float = field(init=False)

    def __post_init__(self) -> None:
        """Compute what follows from the columns."""
        particular, safe = self._direction(PARTICULAR), self._direction(SAFE)
        object.__setattr__(self, "affinity", self.vectors @ (particular - safe))
        object.__setattr__(self, "unseen_gain", float(np.median(self.gains)) if len(self.gains) else 1.0)

    def row(self, lemma: str) -> int:
        """Return the row of a lemma, or -1 where the table lacks it."""
        key = hashed(lemma)
        place = int(np.searchsorted(self.keys, key))
        return place if place < len(self.keys) and self.keys[place] == key else -1

    def of_row(self, row: int) -> tuple[float, float, float]:
        """Return rarity, gain and affinity of a row of the table, or of a word that it lacks (-1)."""
        if row < 0:
            return self.unseen_rarity, self.unseen_gain, _UNKNOWN
        return float(self.rarity[row]), float(self.gains[row]), float(self.affinity[row])

    @property
    def unseen_rarity(self) -> float:
        """The rarity of a word that the table lacks: that of one that stands in a single comment."""
        return math.log(max(self.comments, 2) / 2)

    def _direction(self, words: Sequence[str]) -> Floats:
        rows = [row for row in map(self.row, words) if row >= 0]
        mean = self.vectors[rows].mean(axis=0) if rows else np.zeros(self.vectors.shape[1], np.float32)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9), np.float32)


def hashed(text: str) -> int:
    """Return a text as a number of 32 bits, the same on every machine."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def train_word_table(comments: Sequence[Tagged], image_ids: Sequence[str], seed: int) -> WordTable:
    """Learn a community's words from its comments; nobody need have judged them.

    Parameters
    ----------
    comments : sequence of Tagged
        Comments; they are held in memory.
    image_ids : sequence of str
        The photograph of each.
    seed : int
        Of the vectors.

    References
    ----------
    Mikolov et al. 2013, Distributed Representations of Words and Phrases (skip-gram with negative sampling), by gensim.
    """
    from gensim.models import Word2Vec

    lemmas = [[lemma.lower() for lemma in tagged.lemmas] for tagged in comments]
    model = Word2Vec(
        lemmas, vector_size=_WIDTH, window=_WINDOW, epochs=_EPOCHS, min_count=min(_LEAST, len(lemmas)), sg=1, seed=seed,
        workers=1,  # several give other numbers in every run
    )  # fmt: skip
    by_key = {hashed(word): word for word in model.wv.index_to_key}
    keys = np.array(sorted(by_key), np.uint32)
    words = [by_key[int(key)] for key in keys]
    vectors = np.stack([model.wv[word] for word in words])
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    found, gains = _counts_and_gains(lemmas, image_ids, words)
    rarity = np.log(len(comments) / (1 + found))
    return WordTable(keys, vectors, rarity.astype(np.float32), gains.astype(np.float32), len(comments))


def _counts_and_gains(
    lemmas: list[list[str]], image_ids: Sequence[str], words: list[str]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return how many comments have each word, and each word's mean gain under the photographs where it is used."""
    numbers = {word: number for number, word in enumerate(words)}
    each = [{numbers[lemma] for lemma in own if lemma in numbers} for own in lemmas]
    owner = np.repeat(np.arange(len(each)), [len(own) for own in each])
    word = np.fromiter(chain.from_iterable(map(sorted, each)), np.int64, len(owner))
    found = np.bincount(word, minlength=len(words))
    spoken = np.array([lemma[0].isalnum() for lemma in words])[word]  # punctuation belongs to no photograph
    word, owner = word[spoken], owner[spoken]
    image = np.unique(np.asarray(image_ids, object), return_inverse=True)[1][owner]
    _, pair, pair_uses = np.unique(image * len(words) + word, return_inverse=True, return_counts=True)
    others = pair_uses[pair] - 1  # uses of the word in the photograph's other comments
    words_of_others = np.bincount(image)[image] - np.bincount(owner)[owner]
    share = found[word] / max(len(word), 1)
    gain = np.log(np.maximum((others + share) / (words_of_others + 1) / share, 1.0))
    has_others = words_of_others > 0  # a photograph's only comment is no evidence on its words
    summed = np.bincount(word[has_others], gain[has_others], minlength=len(words))
    uses = np.bincount(word[has_others], minlength=len(words))
    return found, (summed + _SHRINK * gain[has_others].sum() / max(uses.sum(), 1)) / (uses + _SHRINK)
