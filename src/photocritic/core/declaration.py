"""What dvc.yaml says that a stage reads and writes: the only place where that stands.

While a stage runs, whoever opens a table or folder calls `require_declared` first: DVC knows of everything that the
stage's outputs depend on.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from photocritic.core import snapshot
from photocritic.core.errors import PhotocriticError
from photocritic.core.generation import shown
from photocritic.core.paths import DATA, REPORTS

VARIABLE = "PHOTOCRITIC_STAGE"  # names the running stage to its own process and to those that it starts
PIPELINE = Path("dvc.yaml")
_EXPRESSION = re.compile(r"\$\{\s*([\w.]+)\s*\}")


class UndeclaredPath(PhotocriticError):
    """A stage opens or writes what dvc.yaml does not list for it."""


@dataclass(frozen=True)
class Declaration:
    """One stage of dvc.yaml, with the values of params.yaml in their places.

    Attributes
    ----------
    name : str
        As DVC addresses it, such as `lstm_train@cws`.
    deps, outs : tuple of Path
        What it reads and writes, metrics and plots included.
    params : tuple of str
        The keys of params.yaml that it reads.
    """

    name: str
    deps: tuple[Path, ...]
    outs: tuple[Path, ...]
    params: tuple[str, ...]

    @property
    def inputs(self) -> list[Path]:
        """What it reads besides the project's code."""
        return [path for path in self.deps if path.parts[0] not in {"src", "stages", "plugins"}]

    @property
    def tables(self) -> list[Path]:
        """The tables among what it reads."""
        return [path for path in self.deps if path.suffix == ".parquet"]

    def reads(self, path: Path) -> Path:
        """Return a path that the stage reads.

        Raises
        ------
        UndeclaredPath
            dvc.yaml does not list it, or a folder that it is in.
        """
        return self._listed(path, self.deps, "reads", "deps")

    def writes(self, path: Path) -> Path:
        """Return a path that the stage writes; raises as `reads`."""
        return self._listed(path, self.outs, "writes", "outs")

    def _listed(self, path: Path, listed: tuple[Path, ...], does: str, key: str) -> Path:
        if not any(path.is_relative_to(one) for one in listed):
            entry = self.name.partition("@")[0]
            raise UndeclaredPath(
                f"stage {self.name} {does} {path}, which {PIPELINE} does not list: "
                f"add `- {path.as_posix()}` to stages: {entry}: {key}"
            )
        return path


def declaration(name: str, folder: Path = Path()) -> Declaration:
    """Read what dvc.yaml says of a stage.

    Parameters
    ----------
    name : str
        As DVC addresses it.
    folder : Path
        The project's root.

    Raises
    ------
    UndeclaredPath
        There is no such stage.
    """
    stage, _, item = name.partition("@")
    params = _read(folder / snapshot.path())
    entry = _read(folder / PIPELINE)["stages"].get(stage)
    if entry is None:
        raise UndeclaredPath(f"{PIPELINE} has no stage {stage}")
    if "foreach" in entry:
        items = _resolve(entry["foreach"], params)
        known = items if isinstance(items, Mapping) else {one: one for one in items}
        if item not in known:
            raise UndeclaredPath(f"{PIPELINE}: stage {stage} has no {item!r}; params.yaml lists {', '.join(known)}")
        params, entry = {**params, "item": known[item], "key": item}, entry["do"]
    listed = {key: [_resolve(_name(one), params) for one in entry.get(key, ())] for key in ("deps", "params")}
    outs = [_resolve(_name(one), params) for key in ("outs", "metrics", "plots") for one in entry.get(key, ())]
    return Declaration(name, tuple(map(Path, listed["deps"])), tuple(map(Path, outs)), tuple(listed["params"]))


def require_declared(path: Path) -> None:
    """Refuse to open what the running stage does not list in dvc.yaml; outside of a stage everything may be opened.

    Only what lies in the project's folders of data and reports is looked at.

    Raises
    ------
    UndeclaredPath
        The message names the line to add.
    """
    name = os.environ.get(VARIABLE)
    if not name:
        return
    place = shown(Path(os.path.relpath(path)))
    if place.is_relative_to(DATA) or place.is_relative_to(REPORTS):
        stage = _current(name, Path.cwd())
        if not any(place.is_relative_to(one) for one in stage.outs):
            stage.reads(place)


@lru_cache(maxsize=1)
def _current(name: str, folder: Path) -> Declaration:
    return declaration(name, folder)


def _read(path: Path) -> Any:
    from ruamel.yaml import YAML

    return YAML(typ="safe").load(path.read_text(encoding="utf-8"))


def _name(entry: Any) -> str:
    """Return the path or key of an entry, which may have options: `path: {cache: false}`."""
    return str(next(iter(entry)) if isinstance(entry, Mapping) else entry)


def _resolve(text: str, params: Mapping[str, Any]) -> Any:
    """Put the values of params.yaml where dvc.yaml names them."""
    if whole := _EXPRESSION.fullmatch(text):
        return _value(whole[1], params)
    return _EXPRESSION.sub(lambda match: str(_value(match[1], params)), text)


def _value(key: str, params: Mapping[str, Any]) -> Any:
    value: Any = params
    for part in key.split("."):
        value = value[part]
    return value
