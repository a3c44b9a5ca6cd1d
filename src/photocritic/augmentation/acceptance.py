"""Which generated captions are good enough to learn from (ERG section 3.4)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from photocritic.config import AugmentParams
from photocritic.styles.classifier import THRESHOLD
from photocritic.styles.judges import Judges
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


def judge(candidates: Sequence[Candidate], judges: Judges, params: AugmentParams) -> list[Judged]:
    """Accept or reject generated captions.

    Parameters
    ----------
    candidates : sequence of Candidate
        In the order in which duplicates are decided: of equal captions of an image and style the first is accepted.
    judges : Judges
        The target style's classifier must take a caption for the style rather than for factual, and its perplexity in
        the target style's language model must be below `params.max_perplexity`.
    params : AugmentParams
        The bounds; the similarity must be above `params.min_similarity`.

    Returns
    -------
    list of Judged
        In the same order, with the first reason that rejected.
    """
    probabilities = _probabilities(candidates, judges)
    accepted: set[tuple[str, str, Words]] = set()
    judged = []
    for candidate, probability in zip(candidates, probabilities.tolist(), strict=True):
        perplexity = judges.perplexity([candidate.caption], candidate.style) if candidate.caption else MAX_RECORDED
        identity = (candidate.image_id, candidate.style, tuple(candidate.caption))
        failed = {
            "empty": not candidate.caption,
            "style": probability <= THRESHOLD,
            "perplexity": perplexity >= params.max_perplexity,
            "similarity": candidate.similarity <= params.min_similarity,
            "duplicate": identity in accepted,
        }
        reason = next((name for name in REASONS if failed[name]), "")
        if not reason:
            accepted.add(identity)
        judged.append(Judged(candidate, probability, min(perplexity, MAX_RECORDED), reason))
    return judged


def _probabilities(candidates: Sequence[Candidate], judges: Judges) -> NDArray[np.float64]:
    result = np.empty(len(candidates))
    for style in sorted({candidate.style for candidate in candidates}):
        rows = [row for row, candidate in enumerate(candidates) if candidate.style == style]
        result[rows] = judges.classifiers[style].probabilities([candidates[row].caption for row in rows])
    return result
