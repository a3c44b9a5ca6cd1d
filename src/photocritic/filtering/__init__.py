"""Filtering: from noisy comments to captions, every rejection with its reason."""
