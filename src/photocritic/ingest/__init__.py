"""Corpora: readers for outside formats, splits, shards of images, and what is turned away."""

from photocritic.ingest.ingestion import ingest

__all__ = ["ingest"]
