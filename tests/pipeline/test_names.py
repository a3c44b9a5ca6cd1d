"""Names of params.yaml that would be a command or another place: `dvc repro` refuses them before it acts (H5)."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from dvc.exceptions import DvcException
from dvc.repo import Repo
from ruamel.yaml import YAML

from photocritic.core.environment import environment

VARIANT = {"captions": "filtered", "features": "weak"}
RETRIEVER = {"method": "instance", "captions": "filtered", "features": "weak"}
REFUSED_BY_DVC = {
    "a command": "x; touch PWN; echo",
    "a substitution": "$(touch PWN)",
    "a command in a folder": "x; touch PWN #/../x",
    "a folder beside": "../victim",
    "a folder above": "../../victim",
    "a folder above plots": "../../../victim",
    "another name for it": "a/../../../victim",
    "its own project": "../../../project/victim",
    "out of the project": "../../../../outside",
    "far out of the project": "../" * 40 + "{root}/outside",
    "another stage's outputs": "../ingest",
    "another variant's": "../lstm_train/cws",
    "all of them": ".",
    "the folder of data": "..",
    "a folder below": "a/b",
    "a space": "a b",
    "a line": "a\nb",
    "an ending line": "abc\n",
    "a dash": "-x",
    "a hidden folder": ".x",
    "capitals": "UP",
    "letters that look alike": "сws",
    "a dot": "a.b",
    "a stage's name": "a@b",
    "a zero": "a\0b",
    "a pattern": "*",
    "a home": "~",
}


@pytest.fixture(scope="module")
def base(root, tmp_path_factory):
    """Set up a project that has never run, with a folder in it and one beside it that must stay."""
    above = tmp_path_factory.mktemp("names")
    folder = above / "project"
    for name in ("src", "stages", "presets", "plugins"):
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("dvc.yaml", "params.yaml", ".dvcignore", ".gitignore"):
        shutil.copy(root / name, folder / name)
    (folder / ".venv").symlink_to(sys.prefix)
    for place in (folder / "victim", folder / "data" / "victim", folder / "reports" / "victim", above / "outside"):
        place.mkdir(parents=True)
        (place / "file").write_text("mine")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    Repo.init(str(folder)).close()
    return folder


@pytest.fixture
def project(root, base, monkeypatch):
    """Give the project with its own parameters; every test leaves the rest as it was."""
    shutil.copy(root / "params.yaml", base / "params.yaml")
    monkeypatch.chdir(base)
    return base


def change(section, value):
    yaml, path = YAML(), Path("params.yaml")
    yaml.representer.ignore_aliases = lambda _: True
    document = yaml.load(path)
    *sections, key = section.split(".")
    place = document
    for name in sections:
        place = place[name]
    place[key] = value
    yaml.dump(document, path)


def untouched(project):
    assert not list(project.rglob("PWN"))
    for place in ("victim", "data/victim", "reports/victim", "../outside"):
        assert (project / place / "file").read_text() == "mine"
    assert not (project / "data" / "ingest").exists()


@pytest.mark.parametrize("name", REFUSED_BY_DVC.values(), ids=REFUSED_BY_DVC)
def test_a_variant_that_is_no_name_is_refused_when_dvc_reads_it(project, name):
    name = name.format(root=str(project.parent)[1:]) if "{root}" in name else name
    change("variants", {"cws": VARIANT, name: VARIANT})
    with Repo() as repo, pytest.raises((DvcException, ValueError)):  # a path with a zero is the system's to refuse
        repo.reproduce()
    untouched(project)


@pytest.mark.parametrize("name", ["../victim", "../../victim", "../../../victim", "x; touch PWN; echo", "a/b", "."])
@pytest.mark.parametrize("target", ["lstm_train", "cnn_pretrain", "retrieve"])
def test_one_stage_alone_refuses_such_a_name_as_well(project, target, name):
    key, value = {
        "lstm_train": ("variants", {"cws": VARIANT, name: VARIANT}),
        "cnn_pretrain": ("cnn_pretrain.features", ["weak", name]),
        "retrieve": ("retrievers", {"instance": RETRIEVER, name: RETRIEVER}),
    }[target]
    change(key, value)
    with Repo() as repo, pytest.raises(DvcException):
        repo.reproduce(target, single_item=True)
    untouched(project)


@pytest.mark.parametrize("name", ["x; touch PWN; echo", "../../victim", "../../../../outside", None, ["a"], "a/b"])
def test_features_that_are_no_name_are_refused_when_dvc_reads_them(project, name):
    change("cnn_pretrain.features", ["weak", name])
    with Repo() as repo, pytest.raises(DvcException):
        repo.reproduce()
    untouched(project)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("variants", {"cws": VARIANT, "x; touch PWN; echo": VARIANT}, "is ignored by .dvcignore"),
        ("variants", {"cws": VARIANT, "/etc": VARIANT}, "variants./etc"),
        ("cnn_pretrain.features", ["weak", True], "cnn_pretrain.features"),
        ("augment.features", "../../victim", "augment.features"),
    ],
)
def test_plain_dvc_repro_ends_with_a_message_and_touches_nothing(project, key, value, words):
    """What DVC itself takes for a name, such as /etc, the first stage refuses."""
    change(key, value)
    done = repro()
    assert done.returncode
    assert "Traceback" not in done.stderr
    assert words in done.stderr
    untouched(project)


def repro(*arguments):
    command = [sys.executable, "-m", "dvc", "repro", *arguments]
    return subprocess.run(
        command, env=environment() | {"SHELL": "/bin/sh"}, capture_output=True, text=True, check=False, timeout=300
    )


def test_a_stage_of_a_list_learns_its_item_without_a_shell(project):
    """Neither quotes nor blanks in DVC_STAGE are read as a command."""
    done = subprocess.run(
        ["stages/run", "lstm_train"],
        env=environment() | {"DVC_STAGE": "lstm_train@x; touch PWN; echo '"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "stage lstm_train has no" in done.stderr
    untouched(project)
