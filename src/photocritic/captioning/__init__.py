"""Captioners: vocabulary, models, training and decoding.

The heavy parts are imported when they are asked for, so that importing the room stays instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from photocritic.captioning.bundle import Bundle, Caption, CaptionSource, caption, load, save
    from photocritic.captioning.run import train

__all__ = ["Bundle", "Caption", "CaptionSource", "caption", "load", "save", "train"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{'run' if name == 'train' else 'bundle'}"), name)
