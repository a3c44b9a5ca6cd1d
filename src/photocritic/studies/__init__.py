"""Human studies: people judge captions beside photographs, blind to where the captions come from.

AIC 6.3.4, CC 5.4.1, Déjà 4 and 8. The heavy parts are imported when they are asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from photocritic.studies.making import create
    from photocritic.studies.rater_app import serve
    from photocritic.studies.report import section, write_report

__all__ = ["create", "section", "serve", "write_report"]
_HOMES = {"create": "making", "section": "report", "serve": "rater_app", "write_report": "report"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
