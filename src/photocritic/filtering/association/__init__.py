"""The association structure of repeated captions: which captions are written under which images (Déjà 2)."""

from photocritic.filtering.association.graph import associate

__all__ = ["associate"]
