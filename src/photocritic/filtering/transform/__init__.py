"""Hypernymisation of captions (CC section 3, text transformation): each step in a file of its own."""

from photocritic.filtering.transform.knowledge import Knowledge, index
from photocritic.filtering.transform.rendering import INCONSISTENT, TOO_SHORT
from photocritic.filtering.transform.substitution import Fallbacks
from photocritic.filtering.transform.transformation import UNRESOLVED, Transformed, prepared, transform

__all__ = [
    "INCONSISTENT", "TOO_SHORT", "UNRESOLVED", "Fallbacks", "Knowledge", "Transformed", "index", "prepared",
    "transform",
]  # fmt: skip
