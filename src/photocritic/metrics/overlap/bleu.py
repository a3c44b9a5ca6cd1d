"""BLEU-1 to BLEU-4 (Papineni et al. 2002) as the COCO caption evaluation computes them."""

from typing import ClassVar

import numpy as np

from photocritic.metrics.metric import Captions, Column, Comparison, Floats, Metric, References, Scores
from photocritic.metrics.ngrams import ORDERS, Ints

_SMALL, _TINY = 1e-9, 1e-15  # the COCO toolkit's guards against division by zero: nothing matched stays (almost) 0


class Bleu(Metric):
    """Geometric mean of clipped n-gram precisions times the brevity penalty.

    The reference length is the one closest to the candidate's (the shorter of two equally close). Per image and
    corpus values equal `pycocoevalcap.bleu.Bleu` with option "closest". Key bleu_1_no_bp is BLEU-1 without brevity
    penalty, the clipped precision of single words, as Déjà section 4 reports it.

    References
    ----------
    Papineni et al. 2002, BLEU: a Method for Automatic Evaluation of Machine Translation, section 2.3.
    """

    label = "BLEU"
    place = 1
    columns: ClassVar = {
        "bleu_1": Column("BLEU-1", "share of words that a reference has too, with the brevity penalty"),
        "bleu_2": Column("BLEU-2", "the same with word pairs (geometric mean)"),
        "bleu_3": Column("BLEU-3", "the same up to 3-grams"),
        "bleu_4": Column("BLEU-4", "the same up to 4-grams"),
        "bleu_1_no_bp": Column(
            "BLEU-1 without penalty", "BLEU-1 without the brevity penalty (Déjà section 4)", headline=False
        ),
    }

    def _score(self, candidates: Captions, references: References) -> Scores:
        found = candidates.against(references)
        lengths = found.coded.lengths
        correct = np.stack([_clipped(found, references, order) for order in range(ORDERS)])
        guessed = np.maximum(lengths - np.arange(ORDERS)[:, None], 0)
        closest = _closest_length(lengths, references)
        images = bleu_scores(correct, guessed, lengths, closest)
        total = bleu_scores(*(array.sum(axis=-1, keepdims=True) for array in (correct, guessed, lengths, closest)))
        return Scores(
            {key: float(value[0]) for key, value in zip(self.columns, total, strict=True)},
            dict(zip(self.columns, images, strict=True)),
        )


def _clipped(found: Comparison, references: References, order: int) -> Ints:
    """Count each image's n-grams that a reference has too, each at most as often as one reference has it."""
    mine, theirs, place = found.counts[order], references.index.counts[order], found.places[order]
    most = np.zeros(len(mine.count), dtype=np.int64)
    np.maximum.at(most, place[place >= 0], theirs.count[place >= 0])
    matched = np.bincount(mine.sentence, np.minimum(mine.count, most), minlength=len(references))
    return matched.astype(np.int64)


def _closest_length(lengths: Ints, references: References) -> Ints:
    theirs = references.index.coded.lengths
    order = np.lexsort((theirs, np.abs(theirs - lengths[references.image]), references.image))
    first = np.searchsorted(references.image, np.arange(len(references)))
    return theirs[order][first]


def bleu_scores(correct: Ints, guessed: Ints, length: Ints, reference_length: Ints) -> Floats:
    """Return BLEU-1 to BLEU-4 and BLEU-1 without brevity penalty of sentences, or of corpora from their sums.

    Parameters
    ----------
    correct, guessed : ndarray of int64, shape (4, N)
        N-grams of each order that stand in a reference, clipped, and all of them.
    length, reference_length : ndarray of int64, shape (N,)
        Words of the candidate, and of the reference that is closest to it in length.

    Returns
    -------
    ndarray of float64, shape (5, N)
        Equal to `pycocoevalcap.bleu.Bleu`, whose guards against division by zero are kept.
    """
    precision = (correct + _TINY) / (guessed + _SMALL)
    mean = np.cumprod(precision, axis=0) ** (1.0 / np.arange(1, ORDERS + 1))[:, None]
    ratio = (length + _TINY) / (reference_length + _SMALL)
    penalty: Floats = np.exp(np.minimum(0.0, 1.0 - 1.0 / ratio))
    result: Floats = np.concatenate([mean * penalty, precision[:1]])
    return result
