"""What CIDEr and CIDEr-D share: TF-IDF similarity of n-grams, averaged over references and orders."""

import numpy as np

from photocritic.metrics.metric import Captions, Comparison, Floats, References
from photocritic.metrics.ngrams import ORDERS

SCALE = 10.0  # both authors' implementations multiply by ten


def similarity(candidates: Captions, references: References, clip: bool, sigma: float | None) -> Floats:
    """Compare captions with references in TF-IDF space.

    Term frequencies are counts; document frequency is the number of images whose references have the n-gram,
    at least 1.

    Parameters
    ----------
    candidates : Captions
        One an image.
    references : References
        Of the same N images.
    clip : bool
        Let an n-gram weigh in the caption at most what it weighs in the reference.
    sigma : float, optional
        Width in words of the Gaussian penalty on the difference of lengths; none by default.

    Returns
    -------
    ndarray of float64, shape (N,)
        Ten times the mean over orders and references of the cosine similarity.

    References
    ----------
    Vedantam et al. 2015, CIDEr: Consensus-based Image Description Evaluation, Eq. 1-3 and section 6.
    """
    found = candidates.against(references)
    pairs = np.zeros(len(references.image))
    for order in range(ORDERS):
        pairs += _cosine(found, references, order, clip)
    if sigma is not None:
        # The COCO toolkit measures length in bigrams, so that no word and one word are equally long.
        here, there = (np.maximum(lengths - 1, 0) for lengths in (found.coded.lengths, references.index.coded.lengths))
        pairs *= np.exp(-((here[references.image] - there) ** 2) / (2.0 * sigma**2))
    total = np.bincount(references.image, pairs, minlength=len(references))
    values: Floats = SCALE * total / ORDERS / references.per_image
    return values


def _cosine(found: Comparison, references: References, order: int, clip: bool) -> Floats:
    mine, theirs, place = found.counts[order], references.index.counts[order], found.places[order]
    rarity = _inverse_document_frequency(references, order)
    unseen = np.log(max(len(references), 1))
    known = mine.ngram < len(rarity)
    weight = np.where(known, np.append(rarity, unseen)[np.minimum(mine.ngram, len(rarity))], unseen)
    here, there = mine.count * weight, theirs.count * rarity[theirs.ngram]
    matching = np.where(place >= 0, np.append(here, 0.0)[place], 0.0)
    product = (np.minimum(matching, there) if clip else matching) * there
    dot = np.bincount(theirs.sentence, product, minlength=len(references.image))
    norm_here = np.sqrt(np.bincount(mine.sentence, here**2, minlength=len(references)))[references.image]
    norm_there = np.sqrt(np.bincount(theirs.sentence, there**2, minlength=len(references.image)))
    norms = norm_here * norm_there
    cosine: Floats = dot / np.where(norms > 0, norms, 1.0)
    return cosine


def _inverse_document_frequency(references: References, order: int) -> Floats:
    frequency = np.maximum(references.document_frequency[order], 1)
    rarity: Floats = np.log(max(len(references), 1)) - np.log(frequency)
    return rarity
