"""Measuring a captioner of an earlier run on the images of this one."""

import hashlib
import json
from collections.abc import Sequence

from photocritic import metrics
from photocritic.config import Params
from photocritic.evaluation.predictions import Prediction
from photocritic.evaluation.tokenization import Tokenizer, compared
from photocritic.evaluation.truth import Subject
from photocritic.text.captions import caption_tokens


def fingerprint(subjects: Sequence[Subject], tokenizer: Tokenizer) -> str:
    """Hash what variants are measured against; numbers compare where it is the same.

    Parameters
    ----------
    subjects : sequence of Subject
        The held-back images with their references.
    tokenizer : "simple" or "ptb"
        What splits captions and references into words.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    held = [tokenizer, *([subject.image_id, *subject.texts] for subject in subjects)]
    return hashlib.sha256(json.dumps(held).encode()).hexdigest()[:16]


def overlap(params: Params, subjects: Sequence[Subject], texts: Sequence[str]) -> dict[str, float]:
    """Score one caption an image as `evaluate` scores its variants.

    Parameters
    ----------
    params : Params
        The metrics and the tokenizer, in the section `evaluate`.
    subjects : sequence of Subject
        The N images.
    texts : sequence of str
        What is said about each of them.

    Returns
    -------
    dict of str to float
        The overlap metrics over all images together.
    """
    said = [Prediction(text, tuple(caption_tokens(text)), 0.0) for text in texts]
    references, captions = compared(subjects, {"": said}, params.evaluate.tokenizer)
    with metrics.Suite(metrics.choose(params.evaluate.metrics)) as suite:
        return dict(suite.score(captions[""], references).corpus)
