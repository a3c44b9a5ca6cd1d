"""Captioner models, one file each, found by name: it defines `build(config, **its own options)`."""

from collections.abc import Mapping
from dataclasses import asdict
from inspect import signature
from typing import Any, cast

from photocritic.captioning.captioner import Captioner, ModelConfig, State, reorder
from photocritic.core import plugins
from photocritic.core.errors import ParamsError

__all__ = ["Captioner", "ModelConfig", "State", "available", "build", "describe", "reorder"]


def available() -> list[str]:
    """Return the names of the models that can be built."""
    return list(plugins.available("captioner"))


def build(name: str, config: ModelConfig, options: Mapping[str, Any] | None = None) -> Captioner:
    """Build an untrained captioner.

    Parameters
    ----------
    name : str
        The model's name, as in ``lstm_train.model``.
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
    make = plugins.find("captioner", name, "lstm_train.model")
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
