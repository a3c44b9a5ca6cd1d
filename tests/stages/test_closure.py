"""dvc.yaml lists for each stage the code that it runs: what it imports, however far."""

import ast
import re
from functools import lru_cache
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from photocritic.core.plugins import KINDS

ROOT = Path(__file__).resolve().parents[2]
STAGES = YAML(typ="safe").load((ROOT / "dvc.yaml").read_text())["stages"]
# What makes no difference to outputs: the tracking store, and the sample, on which those stages depend that run on it
# (as ${ingest.source}).
FINDS = re.compile(r'plugins\.find\("(\w+)"')
EXTENSIONS = {
    "ingest": {"readers"},
    "filter": {"filters", "scores", "classifiers"},
    "lstm_train": {"captioners"},
    "predict": {"captioners"},
    "evaluate": {"metrics"},
    "report": {"metrics"},
    "augment": {"retrievers"},
}  # what a stage looks up by a name of params.yaml, in the project too
EXEMPT = ("src/photocritic/tracking", "src/photocritic/sample", "src/photocritic/__init__.py", "stages/__init__.py")


@lru_cache
def modules():
    found = {}
    for base, folder in ((ROOT / "src", ROOT / "src" / "photocritic"), (ROOT, ROOT / "stages")):
        for path in folder.rglob("*.py"):
            name = ".".join(path.relative_to(base).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path
    return found


@lru_cache
def imports(name):
    """Name the modules that a module imports anywhere in it; those found by name in a folder count with the folder."""
    known, text = modules(), modules()[name].read_text()
    found = set()
    typing = set()
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            typing |= {id(below) for below in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in typing:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            both = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            found |= {child if child in known else node.module for child in both.values()}
    if not name.startswith("photocritic.config."):  # which only checks that there is something of this name
        folders = [f"photocritic.{KINDS[kind].folder}." for kind in FINDS.findall(text) if KINDS[kind].folder]
        found |= {one for one in known if one.startswith(tuple(folders))}
    if "import_module(" in text and modules()[name].name == "__init__.py":
        found |= {one for one in known if one.startswith(f"{name}.")}
    parents = {one.rpartition(".")[0] for one in found if one in known}
    return {one for one in found | parents if one in known}


def closure(name):
    seen, waiting = set(), [name]
    while waiting:
        one = waiting.pop()
        if one not in seen and not _path(one).startswith(EXEMPT):
            seen.add(one)
            waiting += imports(one)
    return {_path(one) for one in seen}


def _path(name):
    return modules()[name].relative_to(ROOT).as_posix()


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_depends_on_all_code_that_it_runs_and_on_no_other(stage):
    entry = STAGES[stage].get("do", STAGES[stage])
    listed = [path for path in entry["deps"] if path.startswith(("src/", "stages/"))]
    wanted = closure(f"stages.{stage}")
    missing = sorted(path for path in wanted if not any(path == one or path.startswith(f"{one}/") for one in listed))
    assert not missing, f"dvc.yaml, {stage}: add these to deps"
    idle = [one for one in listed if not any(path == one or path.startswith(f"{one}/") for path in wanted)]
    assert not idle, f"dvc.yaml, {stage}: take these out of deps"


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_depends_on_the_extensions_that_it_can_use(stage):
    listed = {path for path in STAGES[stage].get("do", STAGES[stage])["deps"] if path.startswith("plugins/")}
    assert listed == {f"plugins/{kind}" for kind in EXTENSIONS.get(stage, ())}
    assert all((ROOT / path).is_dir() for path in listed)
