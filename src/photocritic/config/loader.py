"""params.yaml read and checked."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML

from photocritic.config.explanations import explain
from photocritic.config.filter import FilterFileParams
from photocritic.config.params import Params
from photocritic.config.safe_yaml import read_yaml, refuse_strange
from photocritic.config.values import defaults
from photocritic.core.errors import ParamsError

MOST_PROBLEMS = 10  # that a message names

Model = TypeVar("Model", bound=BaseModel)


def load(path: Path = Path("params.yaml")) -> Params:
    """Read and check params.yaml.

    Parameters
    ----------
    path : Path
        The YAML file.

    Returns
    -------
    Params
        The checked parameters, with defaults where a key is absent.

    Raises
    ------
    ParamsError
        One line a problem: the key's path, what is wrong, and the nearest valid name.
    """
    raw = read_yaml(path, YAML(typ="safe"))
    return check(raw or {}, str(path))


def check(raw: Any, origin: str = "params") -> Params:
    """Check parameters that have been read already.

    Parameters
    ----------
    raw : dict
        Sections by name.
    origin : str
        The file's name, for the message.

    Returns
    -------
    Params
        The checked parameters.

    Raises
    ------
    ParamsError
        As in `load`.
    """
    return _valid(Params, raw, origin)


def check_for_filter(raw: Any, origin: str) -> FilterFileParams:
    """Check the sections that `photocritic filter` reads, and the names alone of the others.

    Parameters
    ----------
    raw, origin
        As in `check`.

    Returns
    -------
    FilterFileParams
        The checked sections.

    Raises
    ------
    ParamsError
        As in `load`.
    """
    others = Params.model_fields.keys() - FilterFileParams.model_fields.keys()
    if isinstance(raw, Mapping):
        raw = {name: section for name, section in {**defaults(), **raw}.items() if name not in others}
    return _valid(FilterFileParams, raw, origin)


def _valid(model: type[Model], raw: Any, origin: str) -> Model:
    refuse_strange(raw, origin)
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        problems = error.errors(include_url=False)
        lines = [explain(problem, Params) for problem in problems[:MOST_PROBLEMS]]
        more = [f"and {len(problems) - MOST_PROBLEMS} more problems"] if len(problems) > MOST_PROBLEMS else []
        raise ParamsError(f"{origin}: " + "; ".join(lines + more)) from None


def decoding(params: Params, strategy: str = "", beam: int | None = None, seed: int | None = None) -> Params:
    """Change how captions are decoded.

    Parameters
    ----------
    params : Params
        The parameters at hand.
    strategy : str
        Of `predict.strategy`; empty: as it is.
    beam : int, optional
        Of `predict.beam`, where the strategy searches.
    seed : int, optional
        Of the seed, where the strategy draws.

    Returns
    -------
    Params
        The changed parameters.

    Raises
    ------
    ParamsError
        A value is impossible, or the strategy does not use it.
    """
    strategy = strategy or params.predict.strategy
    for name, value, users in (("beam", beam, ("beam", "diverse")), ("seed", seed, ("sample",))):
        if value is not None and strategy not in users:
            raise ParamsError(f"{name}: not used by strategy '{strategy}', only by {' and '.join(users)}")
    changed = params.model_dump()
    changed["predict"] |= {"strategy": strategy} | ({} if beam is None else {"beam": beam})
    return check(changed | ({} if seed is None else {"seed": seed}), "decoding")
