"""A run keeps to the parameters that it began with, and dvc.lock says which those were."""

import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from photocritic.core import snapshot
from photocritic.core.environment import environment
from photocritic.core.errors import ParamsError, PhotocriticError
from photocritic.core.lock import HELD, alone, beside_others

# The first stage edits the parameters; both note those that they are to read.
GRAPH = """
vars: []
stages:
  first:
    cmd:
      - cat "$PHOTOCRITIC_PARAMS" > one-${topics}
      - 'echo "topics: 9" > params.yaml'
    params: [topics]
    outs: ["one-${topics}"]
  second:
    cmd: cat "$PHOTOCRITIC_PARAMS" > two
    deps: ["one-${topics}"]
    params: [topics]
    outs: [two]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "a project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv(HELD, raising=False)
    (folder / "params.yaml").write_text("topics: 3\n")
    return folder


def test_an_edit_during_a_run_changes_nothing_for_it(project: Path) -> None:  # H1
    (project / "dvc.yaml").write_text(GRAPH)
    subprocess.run([sys.executable, "-m", "dvc", "init", "--quiet", "--no-scm"], env=environment(), check=True)
    with alone(), snapshot.taken():
        command = [sys.executable, "-m", "photocritic.core.reproduction", "repro"]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (project / "one-3").read_text() == (project / "two").read_text() == "topics: 3\n"
    stages = YAML(typ="safe").load(project / "dvc.lock")["stages"]
    assert [stages[name]["params"]["params.yaml"]["topics"] for name in ("first", "second")] == [3, 3]
    assert (project / "params.yaml").read_text() == "topics: 9\n"  # for the next run


def test_a_stage_of_no_run_stops_where_its_parameters_were_edited(project: Path) -> None:  # H1
    with snapshot.held("topics"):
        (project / "params.yaml").write_text("topics: 3  # the same\nother: 1\n")
    with pytest.raises(ParamsError, match="topics was changed while this stage ran"), snapshot.held("topics"):
        (project / "params.yaml").write_text("topics: 4\n")
    with pytest.raises(ParamsError, match="was changed"), snapshot.held("topics"):
        (project / "params.yaml").write_text("topics: [")


def test_the_snapshot_is_that_of_the_run_above_alone(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with alone(), snapshot.taken():
        assert snapshot.path().read_text() == "topics: 3\n"
        (project / "elsewhere").mkdir()
        monkeypatch.chdir(project / "elsewhere")  # such as an experiment's checkout
        assert snapshot.path() == snapshot.PARAMS
    monkeypatch.chdir(project)
    assert snapshot.path() == snapshot.PARAMS


def test_a_stage_is_refused_beside_a_run_that_has_not_started_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with beside_others(), beside_others(), pytest.raises(PhotocriticError, match="another run is at work"), alone():
        pass
    with alone():
        with beside_others():
            pass
        monkeypatch.delenv(HELD)
        with pytest.raises(PhotocriticError, match="another run is at work"), beside_others():
            pass
