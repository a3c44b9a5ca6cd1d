"""Corpora: readers for outside formats, splits, shards of images, and the quarantine."""

from photocritic.ingest.ingestion import ingest

__all__ = ["ingest"]
