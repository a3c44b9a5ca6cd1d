"""Which generated captions are good enough to learn from (ERG section 3.4)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from photocritic.config import AugmentParams
from photocritic.styles.classifier import StyleClassifier
from photocritic.styles.language_model import TrigramModel
from photocritic.styles.word_tokenizer import Words

REASONS = ("empty", "style", "perplexity", "similarity", "duplicate")  # in the order in which they are tried
MAX_RECORDED = 1e6  # perplexity written for an empty caption


@dataclass(frozen=True)
class Candidate:
    """A scene retrieved for an image, and the caption generated from both.

    Attributes
    ----------
    image_id, style : str
        For which image, in which style.
    phrase, factual : sequence of str
        The retrieved scene's style phrase, and the image's factual caption.
    retrieval : str
        Which of the retriever's ways found the scene.
    similarity : float
        Cosine similarity of image and scene.
    caption : sequence of str
        What was generated.
    """

    image_id: str
    style: str
    phrase: Words
    factual: Words
    retrieval: str
    similarity: float
    caption: Words


@dataclass(frozen=True)
class Judged:
    """A candidate with what its acceptance rests on; `reason` is empty where it is accepted."""

    candidate: Candidate
    style_probability: float
    perplexity: float
    reason: str


def judge(
    candidates: Sequence[Candidate],
    classifier: StyleClassifier,
    models: dict[str, TrigramModel],
    params: AugmentParams,
) -> list[Judged]:
    """Accept or reject generated captions.

    Parameters
    ----------
    candidates : sequence of Candidate
        In the order in which duplicates are decided: of equal captions of an image and style the first is accepted.
    classifier : StyleClassifier
        A caption must be classified as its target style.
    models : dict of str to TrigramModel
        By style: its perplexity must be below `params.max_perplexity`.
    params : AugmentParams
        The bounds; the similarity must be above `params.min_similarity`.

    Returns
    -------
    list of Judged
        In the same order, with the first reason that rejected.
    """
    probabilities = classifier.probabilities([candidate.caption for candidate in candidates])
    accepted: set[tuple[str, str, Words]] = set()
    judged = []
    for candidate, row in zip(candidates, probabilities, strict=True):
        target = classifier.classes.index(candidate.style)
        perplexity = models[candidate.style].perplexity(candidate.caption) if candidate.caption else MAX_RECORDED
        identity = (candidate.image_id, candidate.style, tuple(candidate.caption))
        failed = {
            "empty": not candidate.caption,
            "style": int(np.argmax(row)) != target,
            "perplexity": perplexity >= params.max_perplexity,
            "similarity": candidate.similarity <= params.min_similarity,
            "duplicate": identity in accepted,
        }
        reason = next((name for name in REASONS if failed[name]), "")
        if not reason:
            accepted.add(identity)
        judged.append(Judged(candidate, float(row[target]), min(perplexity, MAX_RECORDED), reason))
    return judged
