"""The section variants: the captioners that are compared."""

from typing import Any, Literal

from photocritic.config.values import Block, Features


class Variant(Block):
    """A captioner to compare: what it learns from, what it sees, and how it departs from the section lstm_train."""

    captions: Literal["raw", "filtered"]
    features: Features
    lstm_train: dict[str, Any] = {}
