"""Parameters changed: params.yaml written anew for a preset, and what one command takes in its place.

A preset is a file of changes to presets/sample.yaml. Its key `from` names another preset whose changes come first.
"""

from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from photocritic.config.filter import FilterFileParams
from photocritic.config.loader import check, check_for_filter, read_yaml
from photocritic.config.params import Params
from photocritic.config.values import bundled_presets
from photocritic.core.errors import CorpusError, ParamsError
from photocritic.core.files import atomic_file

PRESETS = Path("presets")
BASE = "sample"
OWN = "folder"  # what a corpus without a preset takes over from the sample's parameters
FROM = "from"  # the key that names the preset which another builds on
WHOLE = {
    "variants",
    "retrievers",
    "fused_features",
    "styles",
    "features",
    "options",
}  # replaced by a preset, not merged


def names(folder: Path | None = None) -> list[str]:
    """List the presets of a folder, by default those of the project."""
    return sorted(path.stem for path in (folder or _folder()).glob("*.yaml"))


def _folder() -> Path:
    """Return the presets of the project in which the command runs, or else those that come with the package."""
    return PRESETS if PRESETS.is_dir() else bundled_presets()


def apply(
    preset: str | None,
    corpus: str | None,
    target: Path = Path("params.yaml"),
    changes: Mapping[str, Any] | None = None,
    folder: Path | None = None,
) -> None:
    """Write params.yaml for a preset and a corpus; comments stay beside their keys.

    Parameters
    ----------
    preset : str, optional
        A name in presets/, or several with commas between, each changing what those before have set; without one the
        current parameters stay.
    corpus : str, optional
        The corpus's folder or file; the sample's parameters take the preset `folder`'s changes for it.
    target : Path
        The file to write.
    changes : mapping of str to Any, optional
        Values that come last, by section and key, such as {"lda.topics": 50}.
    folder : Path, optional
        Where the presets are; by default those of the project.

    Raises
    ------
    ParamsError
        There is no such preset, it needs a corpus, or presets build on each other in a circle.
    CorpusError
        The corpus is not there.
    """
    yaml = _layout()
    chosen = [name.strip() for name in (preset or "").split(",") if name.strip()]
    document = read_yaml((folder or PRESETS) / f"{BASE}.yaml" if chosen else target, yaml)
    check(document or {}, str(target))
    if chosen:
        document["preset"] = ",".join(chosen)
    for name in chosen:
        if name != BASE:
            _merge(document, _changes(name, folder))
    if corpus is not None:
        if not Path(corpus).exists():
            raise CorpusError(f"{corpus}: no such corpus folder or file; give its path as CORPUS=<folder>")
        if document["ingest"]["reader"] == "sample":
            _merge(document, _changes(OWN, folder))
            document["preset"] = ",".join([*(name for name in chosen if name != BASE), OWN])
        document["ingest"]["source"] = corpus
    elif document["ingest"]["reader"] != "sample" and preset:
        raise ParamsError(f"preset '{preset}' reads a corpus of yours: give its path as CORPUS=<folder>")
    for key, value in (changes or {}).items():
        _set(document, key.split("."), value)
    check(document, str(target))
    with atomic_file(target) as path, path.open("w", encoding="utf-8") as stream:
        yaml.dump(document, stream)


def for_filter(chain: str = "", score: str = "", threshold: str = "", unit: str = "") -> FilterFileParams:
    """Return the current parameters of the filters, or the defaults where there are none, with some changes.

    Parameters
    ----------
    chain : str
        A preset whose `filter` section is taken.
    score, threshold, unit : str
        Values of `filter.score`, with commas between several, `filter.threshold` and `filter.unit`; empty: as they are.

    Raises
    ------
    ParamsError
        There is no such preset, or a value is impossible.
    """
    path = Path("params.yaml")
    document: dict[str, Any] = {"filter": {}}
    if path.exists():
        document = check_for_filter(read_yaml(path, YAML(typ="safe")) or {}, str(path)).model_dump(mode="json")
    if chain:
        changes = _changes(chain).get("filter", {})
        _merge(document["filter"], changes)
    document["filter"] |= {"score": score.split(",") if "," in score else score} if score else {}
    document["filter"] |= {"unit": unit} if unit else {}
    document["filter"] |= {"threshold": float(threshold) if _is_number(threshold) else threshold} if threshold else {}
    return check_for_filter(document, "photocritic filter")


def for_ingest(corpus: Path, preset: str = "", reader: str = "", test_share: float | None = None) -> Params:
    """Return parameters that read another corpus than that of the pipeline.

    Parameters
    ----------
    corpus : Path
        Its folder or file.
    preset : str
        A preset whose `ingest` section is taken; by default `folder`.
    reader : str
        Its format; empty: as the preset says.
    test_share : float, optional
        Share of the images to test on; then none are for validation. By default as the preset says.

    Raises
    ------
    ParamsError
        There is no such preset, or a value is impossible.
    CorpusError
        The corpus is not there.
    """
    if not corpus.exists():
        raise CorpusError(f"{corpus}: no such corpus folder or file")
    section: dict[str, Any] = {"source": str(corpus)} | ({"reader": reader} if reader else {})
    section |= {} if test_share is None else {"val_share": 0.0, "test_share": test_share}
    return check({"ingest": dict(_changes(preset or OWN).get("ingest", {})) | section}, "photocritic ingest")


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


def _layout() -> YAML:
    """Read and write YAML as params.yaml is laid out, so that a change shows in git as that change alone."""
    yaml = YAML()
    yaml.width = 200
    yaml.preserve_quotes = True
    yaml.representer.ignore_aliases = lambda _: True  # a value that two keys share is written out under both
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.representer.add_representer(type(None), lambda it, _: it.represent_scalar("tag:yaml.org,2002:null", "null"))
    return yaml


def _changes(name: str, folder: Path | None = None, builders: tuple[str, ...] = ()) -> MutableMapping[str, Any]:
    """Return a preset's changes, on top of those of the preset that it builds on.

    Parameters
    ----------
    name : str
        The preset.
    folder : Path, optional
        As in `apply`.
    builders : tuple of str
        The presets that lead to this one, each building on the next.
    """
    if name in builders:
        raise ParamsError(f"presets build on each other in a circle: {' from '.join([*builders, name])}")
    if name not in names(folder):
        named_by = f"{builders[-1]}.yaml: {FROM}: " if builders else ""
        raise ParamsError(f"{named_by}no preset {name!r}; available: {', '.join(names(folder))}")
    changes: MutableMapping[str, Any] = read_yaml((folder or _folder()) / f"{name}.yaml", YAML()) or {}
    if FROM not in changes:
        return changes
    base = _changes(str(changes.pop(FROM)), folder, (*builders, name))
    _merge(base, changes)
    return base


def _set(document: MutableMapping[str, Any], keys: list[str], value: Any) -> None:
    for key in keys[:-1]:
        document = document.setdefault(key, {})
    document[keys[-1]] = value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _merge(base: MutableMapping[str, Any], changes: MutableMapping[str, Any]) -> None:
    for key, value in changes.items():
        if isinstance(value, MutableMapping) and isinstance(base.get(key), MutableMapping) and key not in WHOLE:
            _merge(base[key], value)
        else:
            base[key] = value
