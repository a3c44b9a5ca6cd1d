"""Overlap of captions with references: one file a metric, found by its name in evaluate.metrics."""
