"""How much captions repeat each other: BLEU of each against all others."""

from collections.abc import Sequence

import numpy as np

from photocritic.metrics.metric import Floats, Tokens
from photocritic.metrics.ngrams import ORDERS, Counts, Ints, NgramIndex
from photocritic.metrics.overlap.bleu import bleu_scores


def self_bleu(captions: Sequence[Tokens]) -> Floats:
    """Score each caption by BLEU-4 against all other captions as its references.

    mBLEU (Shetty et al. 2017) does so among several captions of one image. Where there is one caption an image, the
    captions of the other images are the references, which is self-BLEU (Zhu et al. 2018).

    Parameters
    ----------
    captions : sequence of sequence of str
        The tokens of each of N captions.

    Returns
    -------
    ndarray of float64, shape (N,)
        Each equal to `pycocoevalcap.bleu.Bleu` (no smoothing, the reference closest in length) with N - 1 references;
        0 for a single caption, which repeats none.

    Notes
    -----
    A clipped count needs the most often that any other caption has the n-gram: the largest of all counts or, for the
    one caption that has it so often, the second largest. So the cost grows with the words, not with the pairs.

    References
    ----------
    Zhu et al. 2018, Texygen: A Benchmarking Platform for Text Generation Models; Shetty et al. 2017, Speaking the Same
    Language: Matching Machine to Human Captions by Adversarial Training.
    """
    if len(captions) < 2:
        return np.zeros(len(captions))
    index = NgramIndex(captions)
    lengths = index.coded.lengths
    correct = np.stack(
        [_clipped(counts, size, len(captions)) for counts, size in zip(index.counts, index.sizes(), strict=True)]
    )
    guessed = np.maximum(lengths - np.arange(ORDERS)[:, None], 0)
    scores: Floats = bleu_scores(correct, guessed, lengths, _closest_other(lengths))[ORDERS - 1]
    return scores


def _clipped(counts: Counts, size: int, sentences: int) -> Ints:
    """Count each sentence's n-grams that another sentence has too, each at most as often as one other has it."""
    most, second = np.zeros((2, size), dtype=np.int64)
    order = np.lexsort((counts.count, counts.ngram))  # an n-gram's counts side by side, the largest last
    ngram, count = counts.ngram[order], counts.count[order]
    last = np.diff(ngram, append=-1) != 0
    most[ngram[last]] = count[last]
    before = np.flatnonzero(last) - 1
    before = before[(before >= 0) & ~last[before]]
    second[ngram[before]] = count[before]
    own, elsewhere = counts.count, most[counts.ngram]
    elsewhere = np.where(own == elsewhere, second[counts.ngram], elsewhere)
    found = np.bincount(counts.sentence, np.minimum(own, elsewhere), minlength=sentences)
    return found.astype(np.int64)


def _closest_other(lengths: Ints) -> Ints:
    """Return for each length the closest one among the others, the shorter of two equally close."""
    known, count = np.unique(lengths, return_counts=True)
    place = np.searchsorted(known, lengths)
    shorter = known[np.maximum(place - 1, 0)]
    longer = known[np.minimum(place + 1, len(known) - 1)]
    down = np.where(place > 0, lengths - shorter, np.iinfo(np.int64).max)
    up = np.where(place < len(known) - 1, longer - lengths, np.iinfo(np.int64).max)
    closest: Ints = np.where(count[place] > 1, lengths, np.where(down <= up, shorter, longer))
    return closest
