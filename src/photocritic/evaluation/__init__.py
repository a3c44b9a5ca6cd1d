"""Evaluation: variants side by side on the held-back images, and the report.

The heavy parts are imported when they are asked for, so that importing the room stays instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from photocritic.evaluation.run import champion, evaluate

__all__ = ["champion", "evaluate"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.run"), name)
