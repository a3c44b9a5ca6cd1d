"""Human studies: people judge captions beside photographs, blind to where the captions come from.

AIC 6.3.4, CC 5.4.1, Déjà 4 and 8. The heavy parts are imported when they are asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from photocritic.studies.rater_app import serve
    from photocritic.studies.study_creation import create
    from photocritic.studies.study_report import section, write_report

__all__ = ["create", "section", "serve", "write_report"]
_HOMES = {"create": "study_creation", "section": "study_report", "serve": "rater_app", "write_report": "study_report"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
