"""Classifiers of the user's own that filters ask: files of the folder plugins/, or what installed packages offer."""

from collections.abc import Callable
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from photocritic.core.errors import ParamsError

FOLDER = Path("plugins")  # of the project; its files are as trusted as the project's own code
GROUP = "photocritic.classifiers"  # of the entry points of installed packages
FUNCTION = "classify"  # what a file of the folder must define

Ask = Callable[[list[str]], list[Any]]


def load(name: str, key: str) -> Ask:
    """Find the classifier of this name: the function `classify` of `plugins/<name>.py`, or an entry point.

    Parameters
    ----------
    name : str
        The file's name without `.py`, or the entry point's name in the group `photocritic.classifiers`.
    key : str
        The option that names it, for messages.

    Returns
    -------
    callable
        Takes image ids and gives a value for each; it checks that the classifier answers for every image.

    Raises
    ------
    ParamsError
        There is no such classifier, its file is not a regular file of the project, or it cannot be imported.
    """
    try:
        function = _of_the_project(name, key) or _of_a_package(name)
    except ParamsError:
        raise
    except Exception as error:  # whatever the code of others raises while it is imported
        raise ParamsError(f"{key}: cannot import '{name}': {type(error).__name__}: {error}") from error
    if function is None:
        raise ParamsError(f"{key}: no file {FOLDER}/{name}.py, and no installed package offers '{name}' in {GROUP}")
    if not callable(function):
        raise ParamsError(f"{key}: '{name}' is no function of image ids")

    def ask(image_ids: list[str]) -> list[Any]:
        values = list(function(image_ids))
        if len(values) != len(image_ids):
            raise ParamsError(f"{key}: '{name}' gave {len(values)} values for {len(image_ids)} images")
        return values

    return ask


def _of_the_project(name: str, key: str) -> Any:
    path = FOLDER / f"{name}.py"
    if not path.exists() and not path.is_symlink():
        return None
    if not path.is_file() or path.resolve() != Path.cwd().resolve() / path:
        raise ParamsError(f"{key}: {path} is not a regular file of the project; links are not followed")
    spec = spec_from_file_location(f"photocritic_plugins.{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, FUNCTION):
        raise ParamsError(f"{key}: {path} defines no function {FUNCTION}(image_ids)")
    return getattr(module, FUNCTION)


def _of_a_package(name: str) -> Any:
    for found in entry_points(group=GROUP, name=name):
        return found.load()
    return None
