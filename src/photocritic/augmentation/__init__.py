"""Extract, retrieve, generate: more stylised captions from few (ERG)."""

from photocritic.augmentation.grow import augment

__all__ = ["augment"]
