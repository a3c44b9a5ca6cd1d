"""Metrics: captions in, scores out."""

from photocritic.metrics.contract import Captions, Metric, References, Scores
from photocritic.metrics.registry import NAMES, get, score

__all__ = ["NAMES", "Captions", "Metric", "References", "Scores", "get", "score"]
