"""Captioner models, found by file name: `models/<name>.py` defines `build(config)`."""

import pkgutil
from dataclasses import asdict
from importlib import import_module
from typing import Any, cast

from photocritic.captioning.models.base import Captioner, ModelConfig, State, reorder
from photocritic.errors import ParamsError

__all__ = ["Captioner", "ModelConfig", "State", "available", "build", "describe", "reorder"]


def available() -> list[str]:
    """Name every model that can be built."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name != "base")


def build(name: str, config: ModelConfig) -> Captioner:
    """Build an untrained captioner.

    Parameters
    ----------
    name : str
        The model's file name, as in ``lstm_train.model``.
    config : ModelConfig
        Its sizes.

    Returns
    -------
    Captioner
        With weights drawn from torch's global generator.

    Raises
    ------
    ParamsError
        There is no such model.
    """
    if name not in available():
        raise ParamsError(f"lstm_train.model: no model is called '{name}'; known are {', '.join(available())}")
    return cast("Captioner", import_module(f"{__name__}.{name}").build(config))


def describe(name: str, config: ModelConfig) -> dict[str, Any]:
    """Give what `build` needs as JSON-ready values."""
    return {"model": name, "sizes": asdict(config)}
