"""Presets: params.yaml written anew from presets/sample.yaml and the changes of another preset."""

from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from photocritic.errors import CorpusError, ParamsError
from photocritic.files import atomic_file
from photocritic.params import check

PRESETS = Path("presets")
BASE = "sample"
OWN = "folder"  # what a corpus without a preset takes over from the sample's parameters
WHOLE = {"variants", "styles", "features"}  # keys that a preset replaces rather than merges


def names() -> list[str]:
    """List the presets at hand."""
    return sorted(path.stem for path in PRESETS.glob("*.yaml"))


def apply(preset: str | None, corpus: str | None, target: Path = Path("params.yaml")) -> None:
    """Write params.yaml for a preset and a corpus; comments stay beside their keys.

    Parameters
    ----------
    preset : str, optional
        A name in presets/; without one the parameters at hand stay.
    corpus : str, optional
        The corpus's folder or file; the sample's parameters take the preset `folder`'s changes for it.
    target : Path
        The file to write.

    Raises
    ------
    ParamsError
        There is no such preset, or it needs a corpus.
    CorpusError
        The corpus is not there.
    """
    yaml = YAML()
    yaml.width = 200
    if preset is not None and preset not in names():
        raise ParamsError(f"no preset '{preset}'; there are {', '.join(names())}")
    document = yaml.load(PRESETS / f"{BASE}.yaml" if preset else target)
    if preset not in (None, BASE):
        _merge(document, yaml.load(PRESETS / f"{preset}.yaml"))
    if corpus is not None:
        if not Path(corpus).exists():
            raise CorpusError(f"{corpus}: no such corpus folder or file; give its path as CORPUS=<folder>")
        if document["ingest"]["reader"] == "sample":
            _merge(document, yaml.load(PRESETS / f"{OWN}.yaml"))
        document["ingest"]["source"] = corpus
    elif document["ingest"]["reader"] != "sample" and preset:
        raise ParamsError(f"preset '{preset}' reads your own corpus: say where it is with CORPUS=<folder>")
    check(document, str(target))
    with atomic_file(target) as path, path.open("w", encoding="utf-8") as stream:
        yaml.dump(document, stream)


def _merge(base: MutableMapping[str, Any], changes: MutableMapping[str, Any]) -> None:
    for key, value in changes.items():
        if isinstance(value, MutableMapping) and isinstance(base.get(key), MutableMapping) and key not in WHOLE:
            _merge(base[key], value)
        else:
            base[key] = value
