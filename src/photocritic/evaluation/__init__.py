"""Evaluation: variants side by side on the held-back images, and the report.

The heavy parts are imported when they are asked for, so that importing the room stays instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from photocritic.evaluation.champion import Choice, choose, surpasses
    from photocritic.evaluation.remeasure import fingerprint, overlap
    from photocritic.evaluation.run import evaluate
    from photocritic.report.showcase import of_variant

__all__ = ["Choice", "choose", "evaluate", "fingerprint", "of_variant", "overlap", "surpasses"]

_HOMES = {
    "Choice": "champion",
    "choose": "champion",
    "evaluate": "run",
    "fingerprint": "remeasure",
    "of_variant": "showcase",
    "overlap": "remeasure",
    "surpasses": "champion",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
