"""Scores: one file each, found by its name in filter.score."""
