"""Captioners: vocabulary, models, training, decoding, and the pipeline from photographs to captions.

The heavy parts are imported when they are asked for, so that importing the room stays instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from photocritic.captioning.inference import NEIGHBOURS, CaptioningPipeline, Settings
    from photocritic.captioning.model_predictor import ModelPredictor, load_predictor
    from photocritic.captioning.neighbours import Neighbours
    from photocritic.captioning.photographs import Photographs, stored_pixels
    from photocritic.captioning.predictor import Caption, Predictor
    from photocritic.captioning.train_captioner import train

__all__ = [
    "NEIGHBOURS",
    "Caption",
    "CaptioningPipeline",
    "ModelPredictor",
    "Neighbours",
    "Photographs",
    "Predictor",
    "Settings",
    "load_predictor",
    "stored_pixels",
    "train",
]

_HOMES = {
    "NEIGHBOURS": "inference",
    "Caption": "predictor",
    "CaptioningPipeline": "inference",
    "ModelPredictor": "model_predictor",
    "Neighbours": "neighbours",
    "Photographs": "photographs",
    "Predictor": "predictor",
    "Settings": "inference",
    "load_predictor": "model_predictor",
    "stored_pixels": "photographs",
    "train": "train_captioner",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
