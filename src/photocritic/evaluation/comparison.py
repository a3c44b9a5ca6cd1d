"""What captions are compared in: the words of a tokenizer, the overlap metrics, and a hash of what they are against."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Literal

from photocritic import metrics
from photocritic.config import Params
from photocritic.evaluation.evaluation_set import EvaluationExample
from photocritic.evaluation.predictions import Prediction
from photocritic.metrics import Captions, References
from photocritic.metrics.ptb import ptb_tokens
from photocritic.text import caption_tokens

Tokenizer = Literal["simple", "ptb"]


def compared(
    examples: Sequence[EvaluationExample], predictions: Mapping[str, Sequence[Prediction]], tokenizer: Tokenizer
) -> tuple[References, dict[str, Captions]]:
    """Prepare references and captions for the metrics.

    Parameters
    ----------
    examples : sequence of EvaluationExample
        The N images.
    predictions : mapping of str to sequence of Prediction
        For each variant one an image.
    tokenizer : "simple" or "ptb"
        This package's tokenizer, whose words are at hand, or the COCO caption evaluation's own.

    Returns
    -------
    tuple of References and dict of str to Captions
        Of the N images; by variant.

    Raises
    ------
    MetricError
        The tokenizer is not installed.
    """
    if tokenizer == "simple":
        references = References([example.tokens for example in examples])
        return references, {name: Captions([one.tokens for one in some]) for name, some in predictions.items()}
    written = [text for example in examples for text in example.texts]
    texts = [one.text for some in predictions.values() for one in some]
    words = iter(ptb_tokens([*written, *texts]))
    references = References([[next(words) for _ in example.texts] for example in examples])
    return references, {name: Captions([next(words) for _ in some]) for name, some in predictions.items()}


def fingerprint(examples: Sequence[EvaluationExample], tokenizer: Tokenizer) -> str:
    """Hash what variants are measured against; numbers compare where it is the same.

    Parameters
    ----------
    examples : sequence of EvaluationExample
        The held-back images with their references.
    tokenizer : "simple" or "ptb"
        What splits captions and references into words.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    held = [tokenizer, *([example.image_id, *example.texts] for example in examples)]
    return hashlib.sha256(json.dumps(held).encode()).hexdigest()[:16]


def overlap(params: Params, examples: Sequence[EvaluationExample], texts: Sequence[str]) -> dict[str, float]:
    """Score one caption an image as `evaluate` scores its variants.

    Parameters
    ----------
    params : Params
        The metrics and the tokenizer, in the section `evaluate`.
    examples : sequence of EvaluationExample
        The N images.
    texts : sequence of str
        The caption of each of them.

    Returns
    -------
    dict of str to float
        The overlap metrics over all images together.
    """
    predictions = [Prediction(text, tuple(caption_tokens(text)), 0.0) for text in texts]
    references, captions = compared(examples, {"": predictions}, params.evaluate.tokenizer)
    with metrics.Suite(metrics.choose(params.evaluate.metrics)) as suite:
        return dict(suite.score(captions[""], references).corpus)
