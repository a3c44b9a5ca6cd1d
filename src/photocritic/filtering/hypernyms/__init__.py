"""Hypernymisation of captions (CC section 3, text transformation): each step in a file of its own."""

from photocritic.filtering.hypernyms.knowledge import Knowledge, index
from photocritic.filtering.hypernyms.rendering import INCONSISTENT, TOO_SHORT
from photocritic.filtering.hypernyms.substitution import Fallbacks
from photocritic.filtering.hypernyms.transformation import UNRESOLVED, Transformed, prepared, transform

__all__ = [
    "INCONSISTENT", "TOO_SHORT", "UNRESOLVED", "Fallbacks", "Knowledge", "Transformed", "index", "prepared",
    "transform",
]  # fmt: skip
