"""Extensions by name: one file adds a reader, a filter, a score, a captioner, a metric, a retriever or a table.

A name of params.yaml is looked for among the package's own files of that kind, then as `plugins/<kind>s/<name>.py` in
the project, then among the entry points that installed packages offer in the group `photocritic.<kind>s`. Files of the
project are as trusted as the project's own code.
"""

import ast
import difflib
import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from inspect import isabstract
from pathlib import Path
from types import ModuleType
from typing import Any

from photocritic.core.errors import ParamsError

FOLDER = Path("plugins")  # of the project; dvc.yaml lists the folder of a kind for the stages that use this kind
PACKAGE = "photocritic"
_NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,63}")  # as the names in params.yaml


@dataclass(frozen=True)
class Kind:
    """One kind of extension.

    Attributes
    ----------
    folder : str
        Where the package's own are, as a dotted name below the package; empty: it has none.
    function : str
        The function, with its arguments, that a file of this kind defines; empty: a class.
    base : str
        The class of the package that this class derives from, or that the extension is an instance of.
    whole : bool
        Whether the module as a whole is the extension, rather than its function.
    suffix : str
        How the names of the package's own files end, where others are beside them.
    """

    folder: str
    function: str = ""
    base: str = ""
    whole: bool = False
    suffix: str = ""


KINDS = {
    "reader": Kind("ingest.readers", function="read(source, params, seed)", whole=True),
    "filter": Kind("filtering.filters", base="Filter"),
    "score": Kind("filtering.scores", base="CommentScore", suffix="_score"),
    "classifier": Kind("", function="classify(image_ids)"),
    "captioner": Kind("captioning.models", function="build(config)"),
    "metric": Kind("metrics.overlap", base="Metric"),
    "retriever": Kind("retrieval.retrievers", base="Retriever"),
    "table": Kind("tables", base="Table", suffix="_table"),
}


def available(kind: str) -> dict[str, str]:
    """Return where each extension of a kind comes from, by its name, in alphabetical order; nothing is imported."""
    found = {name: _offered(one) for name, one in _entry_points(kind).items()}
    found |= {path.stem: str(path) for path in (FOLDER / f"{kind}s").glob("*.py") if _NAME.fullmatch(path.stem)}
    return dict(sorted((found | dict.fromkeys(_own(kind), PACKAGE)).items()))


def problem(kind: str, name: str, *also: str) -> str:
    """Return why no extension of this name can be had, with the nearest name; empty where there is one.

    Parameters
    ----------
    kind, name : str
        What is looked for.
    also : str
        Further names that may be used in its place.
    """
    known = [*available(kind), *also]
    if name in known or _file(kind, name) is not None:
        return ""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
    hint = f"; did you mean '{near[0]}'?" if near else "."
    return (
        f"no {kind} is called '{name}'{hint} There is no file {FOLDER}/{kind}s/{name}.py, and no installed package "
        f"offers it in {PACKAGE}.{kind}s (photocritic extensions)"
    )


def find(kind: str, name: str, key: str = "") -> Any:
    """Return an extension.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    name : str
        Its name: that of its file without `.py`, or of its entry point.
    key : str
        The key of params.yaml that names it, for messages.

    Returns
    -------
    module, function or class
        As `KINDS` says of the kind.

    Raises
    ------
    ParamsError
        There is none of this name, its file is not a regular file of the project or has the name of one of the
        package's own, it cannot be imported, or does not define what its kind asks for.
    """
    path = _file(kind, name)
    if name in _own(kind):
        if path is not None:
            raise ParamsError(f"{key}: {path} has the name of one of photocritic's own {kind}s; rename the file")
        return _member(kind, import_module(f"{PACKAGE}.{KINDS[kind].folder}.{name}{KINDS[kind].suffix}"), name, key)
    offered = _entry_points(kind).get(name)
    if path is None and offered is None:
        raise ParamsError(f"{key}: {problem(kind, name)}")
    try:
        found = _load(kind, name, path, key) if path is not None else offered.load() if offered else None
    except ParamsError:
        raise
    except Exception as error:  # whatever the code of others raises while it is imported
        place = path or offered
        raise ParamsError(f"{key}: {place}: cannot import '{name}': {type(error).__name__}: {error}") from error
    return _member(kind, found, str(path or name), key)


def summary(kind: str, name: str) -> str:
    """Return the first line of an extension's file, without importing it; empty where it has none."""
    path = _own_folder(kind) / f"{name}{KINDS[kind].suffix}.py" if name in _own(kind) else _file(kind, name)
    try:
        if path is None and (offered := _entry_points(kind).get(name)):
            spec = find_spec(offered.module)
            path = Path(spec.origin) if spec and spec.origin else None
        text = ast.get_docstring(ast.parse(path.read_bytes())) if path else ""
    except (ImportError, OSError, ValueError, SyntaxError) as error:
        return f"cannot be read: {error}"
    return (text or "").partition("\n")[0]


def _own(kind: str) -> list[str]:
    suffix = KINDS[kind].suffix
    found = _own_folder(kind).glob(f"*{suffix}.py") if KINDS[kind].folder else []
    return [path.stem.removesuffix(suffix) for path in found if not path.stem.startswith("_")]


def _own_folder(kind: str) -> Path:
    return Path(__file__).parents[1].joinpath(*KINDS[kind].folder.split("."))


def _entry_points(kind: str) -> dict[str, EntryPoint]:
    return _scan(kind, tuple(sys.path))


@lru_cache(maxsize=64)
def _scan(kind: str, _path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Read the files of all installed packages, which takes a tenth of a second."""
    return {one.name: one for one in entry_points(group=f"{PACKAGE}.{kind}s")}


def _offered(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value


def _file(kind: str, name: str) -> Path | None:
    """Return the project's file of this name, whatever it is; None where there is nothing."""
    path = FOLDER / f"{kind}s" / f"{name}.py"
    return path if _NAME.fullmatch(name) and (path.exists() or path.is_symlink()) else None


def _load(kind: str, name: str, path: Path, key: str) -> ModuleType:
    """Import a file of the project, once in a process."""
    whole = Path.cwd().resolve() / path
    if not path.is_file() or path.resolve() != whole:
        raise ParamsError(f"{key}: {path} is not a regular file of the project; links are not followed")
    module_name = f"{PACKAGE}_{FOLDER}.{kind}s.{name}"
    known = sys.modules.get(module_name)
    if known is not None and known.__file__ == str(whole):
        return known
    spec = spec_from_file_location(module_name, whole)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[module_name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    return module


def _member(kind: str, found: Any, place: str, key: str) -> Any:
    """Return what the kind asks for of a module, or what an entry point has named directly."""
    wanted = KINDS[kind]
    if wanted.base:
        among = vars(found).values() if isinstance(found, ModuleType) else [found]
        own = [one for one in among if _is_one(one, wanted.base, found)]
        if len(own) != 1:
            raise ParamsError(f"{key}: {place} defines {len(own)} of {wanted.base}; it must define one")
        return own[0]
    function = wanted.function.partition("(")[0]
    called = getattr(found, function, None) if isinstance(found, ModuleType) else found
    if not callable(called):
        raise ParamsError(f"{key}: {place} defines no function {wanted.function}")
    return found if wanted.whole else called


def _is_one(value: Any, base: str, found: Any) -> bool:
    """Whether a module's value is a class that derives from the package's class of this name, or an instance of it."""
    kind = value if isinstance(value, type) else type(value)
    derives = any(one.__name__ == base and one.__module__.startswith(f"{PACKAGE}.") for one in kind.__mro__)
    if not isinstance(value, type):
        return derives
    return derives and not isabstract(value) and (value is found or value.__module__ == found.__name__)
