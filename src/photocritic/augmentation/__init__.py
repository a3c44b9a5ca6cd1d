"""Extract, retrieve, generate: more stylised captions from few (ERG)."""

from photocritic.augmentation.augment_captions import augment

__all__ = ["augment"]
