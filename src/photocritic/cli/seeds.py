"""The runs of a grid of seeds, as DVC keeps experiments, and what they say together."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from photocritic import tables
from photocritic.core import extras, logs
from photocritic.core.environment import environment
from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_dir
from photocritic.core.outcome import Outcome
from photocritic.core.paths import EVALUATE
from photocritic.core.snapshot import PARAMS
from photocritic.evaluation.findings import FILE, SCORES, Findings, load_findings
from photocritic.evaluation.seeds import SeedRun, over_seeds
from photocritic.metrics.columns import headline
from photocritic.report.seed_tables import seeds_markdown

LOCK = "dvc.lock"
_LONG = 60  # characters of settings that still fit a table's cell


def compare_seeds(revisions: Sequence[str], out: Path) -> str:
    """Write the means of finished experiments over seeds, and the differences between variants and settings.

    Parameters
    ----------
    revisions : sequence of str
        DVC experiments or git revisions; empty: all experiments that started from the current commit.
    out : Path
        Folder to write: seeds.md, and the same numbers as seeds.csv.

    Returns
    -------
    str
        The tables in Markdown.

    Raises
    ------
    PhotocriticError
        There is no such experiment, its stages did not all run, it was measured on other photographs than the first, or
        no two have equal settings and different seeds.
    """
    extras.refuse_without("dvc")
    names = list(revisions) or _experiments()
    read = [_read(name) for name in logs.progress(names, "reading experiments")]
    for name, (_, _, photographs) in zip(names, read, strict=True):
        if photographs != read[0][2]:
            raise PhotocriticError(
                f"{name} and {names[0]} were measured on different photographs, which do not compare"
            )
    settings = _settings([one[0] for one in read])
    short = _shortened(settings)
    runs = [
        SeedRun(
            int(params["seed"]),
            short[setting],
            {name: one.corpus for name, one in findings.measures.items()},
            {name: one.per_image for name, one in findings.measures.items()},
        )
        for (params, findings, _), setting in zip(read, settings, strict=True)
    ]
    estimates = over_seeds(runs, headline(), bootstrap_seed=0)
    text = seeds_markdown(estimates)
    if legend := [f"- {name}: {setting}" for setting, name in short.items() if name != setting]:
        text = "\n".join(legend) + f"\n\n{text}"
    with atomic_dir(out) as folder:
        (folder / "seeds.md").write_text(text, encoding="utf-8")
        Outcome(tables={"seeds": [asdict(one) for one in estimates]}).write_tables(folder)
    return text


def _experiments() -> list[str]:
    """Return the names of the experiments that started from the current commit."""
    command = [sys.executable, "-m", "dvc", "exp", "list", "--name-only"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise PhotocriticError(f"dvc exp list: {' '.join(done.stderr.split())}")
    if not (names := done.stdout.split()):
        raise PhotocriticError(
            "no experiments yet: run some, such as dvc exp run --queue -S seed=1,2,3 (docs/experiments.md)"
        )
    return names


def _read(revision: str) -> tuple[dict[str, Any], Findings, frozenset[str]]:
    """Return the parameters and the findings of an experiment or commit, and the photographs of these."""
    from dvc.api import DVCFileSystem
    from dvc.exceptions import DvcException
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe")
    with TemporaryDirectory(prefix="photocritic-seeds-") as folder:
        try:
            files = DVCFileSystem(rev=revision)
            params, lock = (yaml.load(files.read_text(name)) for name in (str(PARAMS), LOCK))
            stages = {stage.name: lock["stages"].get(stage.name, {}) for stage in files.repo.index.stages}
            files.get(str(EVALUATE), folder, recursive=True)
        except (DvcException, OSError) as error:
            raise PhotocriticError(
                f"{revision}: cannot be read ({' '.join(str(error).split())}); is it finished, and its data fetched?"
            ) from None
        if stage := _outdated(params, stages):
            raise PhotocriticError(f"{revision}: {stage} has not run with its parameters; run the whole pipeline in it")
        found = next(path.parent for path in Path(folder).rglob(FILE))
        scores = tables.scan("scores", found / SCORES, ["image_id"])
        photographs = frozenset(name for batch in scores for name in batch["image_id"].to_pylist())
        return params, load_findings(found), photographs


def _outdated(params: Mapping[str, Any], stages: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the first stage that did not run on the parameters or on what other stages wrote; empty where all did.

    The stages are the pipeline's, by name, as dvc.lock has them. What else it has is of earlier parameters, such as
    variants that are no more.
    """
    written = {out["path"]: out.get("md5") for stage in stages.values() for out in stage.get("outs", ())}
    for name, stage in stages.items():
        if not stage:
            return name
        used = stage.get("params", {}).get(str(PARAMS), {})
        if any(_value(params, key) != value for key, value in used.items()):
            return name
        if any(written.get(one["path"], one.get("md5")) != one.get("md5") for one in stage.get("deps", ())):
            return name
    return ""


def _value(params: Any, key: str) -> Any:
    for part in key.split("."):
        params = params.get(part) if isinstance(params, Mapping) else None
    return params


def _settings(some: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return for each of some parameters the values in which they differ from others, but for the seed."""
    flat = [dict(_flattened(params)) for params in some]
    keys = list(dict.fromkeys(key for one in flat for key in one if key != "seed"))
    differing = [key for key in keys if len({one.get(key) for one in flat}) > 1]
    return [", ".join(f"{key}={one.get(key)}" for key in differing) for one in flat]


def _shortened(settings: Sequence[str]) -> dict[str, str]:
    """Return the name of each in the tables: itself, or A, B, ... where one is too long for a cell."""
    different = list(dict.fromkeys(settings))
    if max(map(len, different), default=0) <= _LONG:
        return dict(zip(different, different, strict=True))
    return {one: _letters(place) for place, one in enumerate(different)}


def _letters(place: int) -> str:
    """Number as spreadsheets do their columns: A to Z, AA, AB, ..."""
    return (_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def _flattened(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for name, below in value.items():
            yield from _flattened(below, f"{key}.{name}" if key else str(name))
    else:
        yield key, json.dumps(value)
