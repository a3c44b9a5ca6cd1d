"""params.yaml read and checked: what no parameter needs is refused before anything expands or writes it."""

import math
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent

from photocritic.config.explanations import explain
from photocritic.config.filter import FilterFileParams
from photocritic.config.params import Params
from photocritic.config.values import defaults
from photocritic.core.errors import ParamsError
from photocritic.core.limits import PARAMS_BYTES, PARAMS_DEPTH, PARAMS_VALUES, TEXT_CHARACTERS

UNWRITABLE = {"Cc", "Cs", "Zl", "Zp"}  # control characters, halves of a pair, and what separates lines
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
    refuse_strange(raw, origin)
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
    refuse_strange(raw, origin)
    others = Params.model_fields.keys() - FilterFileParams.model_fields.keys()
    if isinstance(raw, Mapping):
        raw = {name: section for name, section in {**defaults(), **raw}.items() if name not in others}
    return _valid(FilterFileParams, raw, origin)


def _valid(model: type[Model], raw: Any, origin: str) -> Model:
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        problems = error.errors(include_url=False)
        lines = [explain(problem, Params) for problem in problems[:MOST_PROBLEMS]]
        more = [f"and {len(problems) - MOST_PROBLEMS} more problems"] if len(problems) > MOST_PROBLEMS else []
        raise ParamsError(f"{origin}: " + "; ".join(lines + more)) from None


def read_yaml(path: Path, yaml: YAML) -> Any:
    """Read a YAML file of parameters, in UTF-8 and of bounded size and depth, without aliases and tags.

    Parameters
    ----------
    path : Path
        The file.
    yaml : YAML
        The parser.

    Returns
    -------
    Any
        What the file holds; a dictionary where it has sections.

    Raises
    ------
    ParamsError
        It is not such a file; the message is one line.
    """
    try:
        text = _text_of(path)
        _refuse_aliases(text, path)
        return yaml.load(text)
    except (YAMLError, ValueError) as error:  # a number of thousands of digits is a ValueError
        raise ParamsError(f"{path}: not valid YAML: {' '.join(str(error).split())}") from None


def _text_of(path: Path) -> str:
    if not path.exists():
        raise ParamsError(f"{path}: no such file; run inside the project's folder")
    if not path.is_file():
        raise ParamsError(f"{path}: not a regular file")
    with path.open("rb") as stream:
        content = stream.read(PARAMS_BYTES + 1)
    if len(content) > PARAMS_BYTES:
        raise ParamsError(f"{path}: larger than {PARAMS_BYTES:,} bytes, the limit for a file of parameters")
    return content.decode("utf-8")


def _refuse_aliases(text: str, path: Path) -> None:
    depth = 0
    for event in YAML(typ="safe").parse(text):
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
        place = f"{path}: line {event.start_mark.line + 1}"
        if isinstance(event, AliasEvent):
            raise ParamsError(f"{place}: *{event.anchor}: aliases are not supported; write the values themselves")
        if getattr(event, "tag", None):
            raise ParamsError(f"{place}: {event.tag}: tags are not supported; write the value alone")
        if depth > PARAMS_DEPTH:
            raise ParamsError(f"{place}: lists and sections nested more than {PARAMS_DEPTH} deep")


def refuse_strange(raw: Any, origin: str) -> None:
    """Raise for a value that no parameter can have.

    Parameters
    ----------
    raw : Any
        Sections, lists and values as read.
    origin : str
        The file's name, for the message.

    Raises
    ------
    ParamsError
        A number that is not finite or takes more than 64 bits, a key that is no text, characters that are not
        printable, or more values or levels than any parameters have, as where a section stands in itself.
    """
    for place, (key, value, depth) in enumerate(_values(raw)):
        if place >= PARAMS_VALUES:
            raise ParamsError(f"{origin}: more than {PARAMS_VALUES:,} values")
        problem = f"nested more than {PARAMS_DEPTH} deep" if depth > PARAMS_DEPTH else _problem(value)
        if problem:
            raise ParamsError(f"{origin}: {key}: {problem}")


def _values(raw: Any) -> Iterator[tuple[str, Any, int]]:
    """Go through values with their keys, those of a section after the section itself; keys count as values."""
    waiting = [("", raw, 0)]
    while waiting:
        key, value, depth = waiting.pop()
        yield key, value, depth
        if isinstance(value, Mapping):
            for name, below in value.items():
                yield key or "params", _Key(name), depth
                waiting.append((f"{key}.{name}".lstrip("."), below, depth + 1))
        elif isinstance(value, list | tuple):
            waiting.extend((f"{key}[{place}]", below, depth + 1) for place, below in enumerate(value))


class _Key:
    """A key, which must be a text."""

    def __init__(self, name: Any) -> None:
        self.name = name


def _problem(value: Any) -> str:
    if isinstance(value, _Key):
        return (
            _unwritable(value.name, "")
            if isinstance(value.name, str)
            else f"{value.name!r} is not text; a key must be text"
        )
    if isinstance(value, Path):
        return _problem(str(value))
    if isinstance(value, str):
        return _unwritable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is not a finite number"
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number of more than 64 bits"
    return ""


def _unwritable(text: str, taken: str = "\t\n") -> str:
    if len(text) > TEXT_CHARACTERS:
        return f"a text of {len(text):,} characters; the limit is {TEXT_CHARACTERS:,}"
    odd = [letter for letter in text if unicodedata.category(letter) in UNWRITABLE and letter not in taken]
    if any("\ud800" <= letter <= "\udfff" for letter in odd):
        return f"{text[:80]!a} is not UTF-8; rename the file or folder"
    return f"{text[:80]!a} has the character {odd[0]!a}, which cannot be printed" if odd else ""
