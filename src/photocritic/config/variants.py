"""The sections variants, the captioners that are compared, and fused_features, what some of them read."""

from typing import Annotated, Any, Literal

from pydantic import Field

from photocritic.config.values import Block, Features, Name


class FusedFeatures(Block):
    """Two of cnn_pretrain.features whose pooled vectors stand behind one another."""

    first: Features
    second: Features


class Variant(Block):
    """A captioner to compare: what it learns from, what it sees, and how it departs from the section lstm_train.

    Attributes
    ----------
    captions : "raw" or "filtered"
        The captions as they were written, or those that the filter kept.
    features : str
        Of `cnn_pretrain.features` or `fused_features`.
    aspect : str, optional
        Only captions of this aspect are learned from (Chang et al. 2017, aspect-oriented).
    lstm_train : dict of str to value
        Changes to the section.
    """

    captions: Literal["raw", "filtered"]
    features: Name
    aspect: Annotated[str, Field(min_length=1)] | None = None
    lstm_train: dict[str, Any] = {}
