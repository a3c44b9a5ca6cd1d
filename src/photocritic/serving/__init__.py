"""Serving: the trained captioner as one MLflow model, and its place in the model registry."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from photocritic.serving.registration import Trained, crown

__all__ = ["Trained", "crown"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.registration"), name)
