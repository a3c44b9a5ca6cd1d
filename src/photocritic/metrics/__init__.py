"""Metrics: captions in, scores out."""

from photocritic.metrics.contract import Captions, Metric, References, Scores
from photocritic.metrics.registry import NAMES, PURE, Suite, choose, get, missing, score

__all__ = ["NAMES", "PURE", "Captions", "Metric", "References", "Scores", "Suite", "choose", "get", "missing", "score"]
