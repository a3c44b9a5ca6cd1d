"""Functions of the user's own that filters call: named in params.yaml as `package.module:function`."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from photocritic.errors import ParamsError

Ask = Callable[[list[str]], list[Any]]


def load(name: str, key: str) -> Ask:
    """Import a function that takes image ids and gives a value for each.

    Parameters
    ----------
    name : str
        `package.module:function`; the module must be importable.
    key : str
        The option that names it, for messages.

    Returns
    -------
    callable
        Checks that the function answers for every image.

    Raises
    ------
    ParamsError
        There is no such module or function.
    """
    module, _, attribute = name.partition(":")
    try:
        function = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ParamsError(f"{key}: cannot import '{name}' ({error}); write package.module:function") from error

    def ask(image_ids: list[str]) -> list[Any]:
        values = list(function(image_ids))
        if len(values) != len(image_ids):
            raise ParamsError(f"{key}: '{name}' gave {len(values)} values for {len(image_ids)} images")
        return values

    return ask
