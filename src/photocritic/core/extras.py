"""Which extra installs which dependency, for messages where one is not installed."""

import re
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec

from photocritic.core.errors import PhotocriticError

_REQUIREMENT = re.compile(r"""(?P<package>[\w.-]+)(?!\[|[\w.-]).*\bextra\s*==\s*['"](?P<extra>[\w-]+)['"]""")
_LAST = "dev"  # has all that the others have, and more


class NotInstalled(PhotocriticError):
    """A command that needs an extra which was not installed."""


def refuse_without(module: str) -> None:
    """Raise where a module is not installed, before any work begins.

    Raises
    ------
    NotInstalled
        It is not; the message names the extra that brings it.
    """
    if find_spec(module) is None:
        raise NotInstalled(advice(module) or f"{module} is not installed")


def advice(module: str) -> str:
    """Return what to install for a module that could not be imported; empty where no extra brings it.

    Parameters
    ----------
    module : str
        Its name, as in `ModuleNotFoundError.name`.
    """
    package = module.partition(".")[0].lower().replace("_", "-")
    try:
        wanted = [found for text in requires("photocritic") or [] if (found := _REQUIREMENT.match(text))]
    except PackageNotFoundError:
        return ""
    extras = [one["extra"] for one in wanted if _brings(one["package"].lower().replace("_", "-"), package)]
    extra = next((name for name in extras if name != _LAST), "")
    return f"this needs {package}: install 'photocritic[{extra}]' (docs/installing.md)" if extra else ""


def _brings(requirement: str, package: str) -> bool:
    return requirement == package or requirement.startswith(f"{package}-")  # faiss-cpu has the module faiss
