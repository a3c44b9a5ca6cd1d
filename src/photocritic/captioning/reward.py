"""The reward of self-critical training: CIDEr-D of any number of captions an image, on word numbers, fast."""

import numpy as np
from numpy.typing import NDArray

from photocritic.captioning.caption_dataset import Integers, Pairs
from photocritic.captioning.vocabulary import EOS, PAD
from photocritic.metrics.consensus import SCALE
from photocritic.metrics.ngrams import ORDERS, Coded, CodedIndex, Counts
from photocritic.metrics.overlap.cider_d import SIGMA

Floats = NDArray[np.float64]


class Reward:
    """Images' captions as references, whose n-grams are counted and weighed once.

    `photocritic.metrics` scores one caption for each of all images; this scores several captions for each of a few,
    against document frequencies of all, and computes the same numbers.

    Parameters
    ----------
    pairs : Pairs
        The references.
    vocabulary : int
        Number of words.
    ends : bool
        Whether the end mark counts as a word. Without it, a caption that breaks off ("a dog on a") is worth no less
        than one that ends, and training on the reward finds such captions; with it, the n-grams that end a caption are
        rewarded as all others.

    Attributes
    ----------
    images : ndarray
        (N,) int32, the rows in `pairs.features` of the images that have references.

    References
    ----------
    Vedantam et al. 2015, CIDEr: Consensus-based Image Description Evaluation, section 6 (CIDEr-D).
    """

    def __init__(self, pairs: Pairs, vocabulary: int, ends: bool) -> None:
        coded = _references(pairs, ends)
        self._ends, self._lengths = ends, coded.lengths
        self.images, owner = np.unique(pairs.images, return_inverse=True)
        self._of_image = np.argsort(owner, kind="stable")
        self._count = np.bincount(owner, minlength=len(self.images))
        self._first = np.cumsum(self._count) - self._count
        index = CodedIndex(coded, vocabulary)
        self._index, self._sizes = index, index.sizes()
        self._rarity = [_rarity(frequency, len(self.images)) for frequency in index.owners(owner)]
        self._keys = [part.sentence * size + part.ngram for part, size in zip(index.counts, self._sizes, strict=True)]
        self._weights = [part.count * rare[part.ngram] for part, rare in zip(index.counts, self._rarity, strict=True)]
        self._norms = [
            _norms(part.sentence, weight, len(coded.lengths))
            for part, weight in zip(index.counts, self._weights, strict=True)
        ]

    def __len__(self) -> int:
        return len(self.images)

    def score(self, images: Integers, tokens: Integers) -> Floats:
        """Score captions.

        Parameters
        ----------
        images : ndarray
            (S,) the image of each caption, as its place in `images`; an image may be named often.
        tokens : ndarray
            (S, L) words, filled up with `PAD`; `EOS` counts where the references' do.

        Returns
        -------
        ndarray
            (S,) float64, CIDEr-D from 0 to 10.
        """
        return self.agreement(images[:, None], np.ones((len(images), 1)), tokens)

    def agreement(self, images: Integers, weights: Floats, tokens: Integers) -> Floats:
        """Score captions against several images each.

        Parameters
        ----------
        images : ndarray
            (S, K) the images of each caption, as their places in `images`.
        weights : ndarray
            (S, K) what the score against each image weighs.
        tokens : ndarray
            As in `score`.

        Returns
        -------
        ndarray
            (S,) float64, the weighed sums of CIDEr-D.
        """
        coded = _coded(tokens, self._ends)
        each = self._count[images]
        owner, turn = _ranges(each.ravel())
        reference = self._of_image[self._first[images.ravel()][owner] + turn]
        count = each.sum(axis=1)
        sample = np.repeat(np.arange(len(count)), count)
        pairs = np.zeros(len(sample))
        for order, mine in enumerate(self._index.count(coded)):
            pairs += self._cosine(order, mine, count, sample, reference)
        here, there = (np.maximum(lengths - 1, 0) for lengths in (coded.lengths[sample], self._lengths[reference]))
        pairs *= np.exp(-((here - there) ** 2) / (2.0 * SIGMA**2)) * (weights / each).ravel()[owner]
        values: Floats = np.asarray(SCALE / ORDERS * np.bincount(sample, pairs, minlength=len(count)), np.float64)
        return values

    def _cosine(self, order: int, mine: Counts, count: Integers, sample: Integers, reference: Integers) -> Floats:
        """Compare each caption with each reference of its image, (P,) of them, in the n-grams of one order."""
        size, keys, weights = self._sizes[order], self._keys[order], self._weights[order]
        weight = mine.count * self._rarity[order][np.minimum(mine.ngram, size)]
        norms = _norms(mine.sentence, weight, len(count))[sample] * self._norms[order][reference]
        known = np.flatnonzero(mine.ngram < size)
        entry, turn = _ranges(count[mine.sentence[known]])
        entry = known[entry]
        pair = (np.cumsum(count) - count)[mine.sentence[entry]] + turn
        wanted = reference[pair] * size + mine.ngram[entry]
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        found = np.flatnonzero(keys[place] == wanted) if len(keys) else np.empty(0, np.int64)
        theirs = weights[place[found]]
        dot = np.bincount(pair[found], np.minimum(weight[entry[found]], theirs) * theirs, minlength=len(reference))
        cosine: Floats = dot / np.where(norms > 0, norms, 1.0)
        return cosine


def _references(pairs: Pairs, ends: bool) -> Coded:
    tokens, lengths = pairs.tokens.astype(np.int64), np.diff(pairs.offsets)
    return Coded(tokens, lengths) if ends else _without(EOS, tokens, lengths)


def _coded(tokens: Integers, ends: bool) -> Coded:
    words = tokens != PAD if ends else (tokens != PAD) & (tokens != EOS)
    return Coded(tokens[words].astype(np.int64), words.sum(axis=1).astype(np.int64))


def _without(mark: int, tokens: Integers, lengths: Integers) -> Coded:
    others = tokens != mark
    owner = np.repeat(np.arange(len(lengths)), lengths)
    return Coded(tokens[others], np.bincount(owner[others], minlength=len(lengths)).astype(np.int64))


def _rarity(frequency: Integers, images: int) -> Floats:
    """Compute the inverse document frequency of each n-gram and, at the end, of those that no reference has."""
    rarity: Floats = np.log(images) - np.log(np.maximum(np.append(frequency, 1), 1))
    return rarity


def _norms(sentence: Integers, weight: Floats, sentences: int) -> Floats:
    norms: Floats = np.sqrt(np.bincount(sentence, weight**2, minlength=sentences))
    return norms


def _ranges(counts: Integers) -> tuple[Integers, Integers]:
    """Lay ranges of so many numbers one after another: return each number's range, and the number from 0."""
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - (np.cumsum(counts) - counts)[owner]
