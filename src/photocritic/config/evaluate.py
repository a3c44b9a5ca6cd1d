"""The section evaluate: what is measured."""

from typing import Annotated, Literal

from photocritic.config.values import Positive, Section, known


class EvaluateParams(Section):
    """How captions are scored.

    Attributes
    ----------
    metrics : "auto" or list of str
        The overlap metrics: all that are installed, or these.
    tokenizer : "simple" or "ptb"
        What splits captions and references into the words that these compare: this package's own, or Stanford's.
    positions : int
        Positions of the diversity curves (AIC 6.3.2).
    """

    metrics: Literal["auto"] | list[Annotated[str, known("metric")]]
    tokenizer: Literal["simple", "ptb"]
    positions: Positive
