"""Captioners: vocabulary, models, training and decoding.

The heavy parts are imported when they are asked for, so that importing the room stays instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from photocritic.captioning.bundle import Bundle, save
    from photocritic.captioning.loading import load
    from photocritic.captioning.photographs import Photographs, stored_pixels
    from photocritic.captioning.source import Caption, CaptionSource, caption
    from photocritic.captioning.train_captioner import train

__all__ = [
    "Bundle",
    "Caption",
    "CaptionSource",
    "Photographs",
    "caption",
    "load",
    "save",
    "stored_pixels",
    "train",
]

_HOMES = {
    "Bundle": "bundle",
    "Caption": "source",
    "CaptionSource": "source",
    "Photographs": "photographs",
    "caption": "source",
    "load": "loading",
    "save": "bundle",
    "stored_pixels": "photographs",
    "train": "train_captioner",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
