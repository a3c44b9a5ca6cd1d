"""Captioner models, found by file name: `models/<name>.py` defines `build(config, **its own options)`."""

import pkgutil
from collections.abc import Mapping
from dataclasses import asdict
from importlib import import_module
from inspect import signature
from typing import Any, cast

from photocritic.captioning.models.base import Captioner, ModelConfig, State, reorder
from photocritic.core.errors import ParamsError

__all__ = ["Captioner", "ModelConfig", "State", "available", "build", "describe", "reorder"]


def available() -> list[str]:
    """Return the names of every model that can be built."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name != "base")


def build(name: str, config: ModelConfig, options: Mapping[str, Any] | None = None) -> Captioner:
    """Build an untrained captioner.

    Parameters
    ----------
    name : str
        The model's file name, as in ``lstm_train.model``.
    config : ModelConfig
        The sizes that all models have.
    options : mapping of str to value, optional
        Options of this model alone, as in ``lstm_train.options``: the further arguments of its `build`.

    Returns
    -------
    Captioner
        With weights drawn from torch's global generator.

    Raises
    ------
    ParamsError
        There is no such model, it has no such option, or cannot be built of these sizes.
    """
    if name not in available():
        raise ParamsError(
            f"lstm_train.model: no model is called '{name}'; known are {', '.join(available())} and pretrained"
        )
    make = import_module(f"{__name__}.{name}").build
    known = sorted(set(signature(make).parameters) - {"config"})
    for option in options or {}:
        if option not in known:
            raise ParamsError(
                f"lstm_train.options: '{name}' has no option '{option}'; it has {', '.join(known) or 'none'}"
            )
    try:
        return cast("Captioner", make(config, **(options or {})))
    except (TypeError, ValueError) as error:
        raise ParamsError(f"lstm_train.options: '{name}' cannot be built: {' '.join(str(error).split())}") from None


def describe(name: str, config: ModelConfig, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `build` needs as JSON-ready values."""
    return {"model": name, "sizes": asdict(config), "options": dict(options)}
