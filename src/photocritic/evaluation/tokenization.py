"""The words that overlap metrics compare, by the tokenizer that was chosen."""

from collections.abc import Mapping, Sequence
from typing import Literal

from photocritic.evaluation.predictions import Prediction
from photocritic.evaluation.truth import Subject
from photocritic.metrics import Captions, References
from photocritic.metrics.ptb import ptb_tokens

Tokenizer = Literal["simple", "ptb"]


def compared(
    subjects: Sequence[Subject], predictions: Mapping[str, Sequence[Prediction]], tokenizer: Tokenizer
) -> tuple[References, dict[str, Captions]]:
    """Prepare references and captions for the metrics.

    Parameters
    ----------
    subjects : sequence of Subject
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
        references = References([subject.tokens for subject in subjects])
        return references, {name: Captions([one.tokens for one in some]) for name, some in predictions.items()}
    written = [text for subject in subjects for text in subject.texts]
    said = [one.text for some in predictions.values() for one in some]
    words = iter(ptb_tokens([*written, *said]))
    references = References([[next(words) for _ in subject.texts] for subject in subjects])
    return references, {name: Captions([next(words) for _ in some]) for name, some in predictions.items()}
