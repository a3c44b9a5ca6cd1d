"""Hypernymization of captions (CC section 3, text transformation)."""

from photocritic.filtering.hypernyms.dates_and_titles import without_dates_and_titles
from photocritic.filtering.hypernyms.knowledge import BUNDLED, Knowledge, index
from photocritic.filtering.hypernyms.rendering import INCONSISTENT, TOO_SHORT, flaw
from photocritic.filtering.hypernyms.transformation import UNRESOLVED, Fallbacks, Transformed, transform

__all__ = [
    "BUNDLED", "INCONSISTENT", "TOO_SHORT", "UNRESOLVED", "Fallbacks", "Knowledge", "Transformed", "flaw", "index",
    "transform", "without_dates_and_titles",
]  # fmt: skip
