"""Metrics: captions in, scores out."""

from photocritic.metrics.metric import Captions, Column, Metric, References, Scores
from photocritic.metrics.metric_suite import PURE, Suite, choose, get, kind, missing, names, score

__all__ = [
    "PURE",
    "Captions",
    "Column",
    "Metric",
    "References",
    "Scores",
    "Suite",
    "choose",
    "get",
    "kind",
    "missing",
    "names",
    "score",
]
