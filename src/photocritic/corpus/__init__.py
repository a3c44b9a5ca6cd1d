"""Corpora: readers for outside formats, splits, shards of images, and what is turned away."""

from photocritic.corpus.ingest import ingest

__all__ = ["ingest"]
