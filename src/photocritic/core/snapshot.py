"""The parameters of a run as they stand when it begins: what is edited meanwhile is for the next run."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from photocritic.core.errors import ParamsError
from photocritic.core.files import atomic_file
from photocritic.core.lock import HELD

VARIABLE = "PHOTOCRITIC_PARAMS"  # names the snapshot to the stages and to DVC, which both read it
PARAMS = Path("params.yaml")
_PLACE = Path(".dvc/tmp/photocritic.params.yaml")


@contextmanager
def taken(folder: Path = Path()) -> Iterator[None]:
    """Copy the parameters for all that is started within the block; call it under the lock.

    Parameters
    ----------
    folder : Path
        The project's root.

    Raises
    ------
    ParamsError
        There are no parameters.
    """
    try:
        content = (folder / PARAMS).read_bytes()
    except FileNotFoundError:
        raise ParamsError(f"{folder / PARAMS}: no such file; run inside the project's folder") from None
    with atomic_file(folder / _PLACE) as temporary:
        temporary.write_bytes(content)
    os.environ[VARIABLE] = str((folder / _PLACE).resolve())
    try:
        yield
    finally:
        os.environ.pop(VARIABLE, None)


def path() -> Path:
    """Return the file with the parameters of the run that has started this process, or params.yaml."""
    file = os.environ.get(VARIABLE)
    return Path(file) if file and os.environ.get(HELD) == str(Path.cwd()) else PARAMS


@contextmanager
def held(*sections: str) -> Iterator[None]:
    """Run a stage on parameters that DVC will record with it.

    DVC reads params.yaml again when the stage has ended, unless both read a snapshot.

    Parameters
    ----------
    *sections : str
        What the stage reads.

    Raises
    ------
    ParamsError
        params.yaml was changed within the block, in one of the sections.
    """
    if path() != PARAMS:
        yield
        return
    before = values(*sections)
    yield
    if changed := [name for name, value in values(*sections).items() if value != before[name]]:
        raise ParamsError(
            f"{PARAMS}: {', '.join(changed)} was changed while this stage ran, and DVC would record the new values "
            "beside results of the old ones; run it again (`photocritic run` keeps to what it began with)"
        )


def values(*names: str) -> dict[str, Any]:
    """Return what stands at the top level of the run's parameters by name, unchecked; None where nothing does."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        content = YAML(typ="safe").load(path().read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, YAMLError):
        content = None  # what is wrong with it is for `config.load` to say
    return {name: content.get(name) if isinstance(content, dict) else None for name in names}
