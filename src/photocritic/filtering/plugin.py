"""Classifiers of the user's own that filters ask: files of plugins/classifiers, or what installed packages offer."""

from collections.abc import Callable
from typing import Any

from photocritic.core import plugins
from photocritic.core.errors import ParamsError

Ask = Callable[[list[str]], list[Any]]


def load(name: str, key: str) -> Ask:
    """Find the classifier of this name: a function of image ids that returns a value for each.

    Parameters
    ----------
    name : str
        The name of its file in `plugins/classifiers`, or of an entry point of the group `photocritic.classifiers`.
    key : str
        The option that names it, for messages.

    Returns
    -------
    callable
        The function; it also checks that the classifier answers for every image.

    Raises
    ------
    ParamsError
        As `plugins.find`.
    """
    classify = plugins.find("classifier", name, key)

    def ask(image_ids: list[str]) -> list[Any]:
        values = list(classify(image_ids))
        if len(values) != len(image_ids):
            raise ParamsError(f"{key}: '{name}' gave {len(values)} values for {len(image_ids)} images")
        return values

    return ask
