"""Filtering: from noisy comments to captions, every rejection with its reason."""

from photocritic.filtering.run import filter_comments
from photocritic.filtering.scoring import Judged, score_texts

__all__ = ["Judged", "filter_comments", "score_texts"]
