"""Workers' clones: code by git, data by the DVC remote, and nothing run twice."""

import shutil
import subprocess
import sys

import pytest

from flows.dvc_api import read_graph, restore
from flows.workspace import REMOTE, Workspace
from photocritic.core.errors import PhotocriticError

DVC_YAML = """
stages:
  one:
    cmd: >-
      echo ran >> ran.log && cat params.yaml > one.txt && echo '{"a": 1}' > one.json
    params: [value]
    outs: [one.txt]
    metrics: [one.json: {cache: false}]
  two:
    cmd: >-
      echo ran >> ran.log && cat one.txt one.txt > two.txt && echo '{"b": 2}' > two.json
    deps: [one.txt]
    outs: [two.txt]
    metrics: [two.json: {cache: false}]
"""


def git(folder, *arguments):
    identity = ["-c", "user.name=test", "-c", "user.email=test"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Give a project of two stages, and a remote that is a folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    subprocess.run([sys.executable, "-m", "dvc", "init", "-q"], cwd=folder, check=True)
    (folder / "dvc.yaml").write_text(DVC_YAML)
    (folder / "params.yaml").write_text("value: 1\n")
    (folder / ".gitignore").write_text("ran.log\none.txt\ntwo.txt\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Begin")
    monkeypatch.setenv(REMOTE, str(tmp_path / "remote"))
    return folder


@pytest.fixture
def clones(project, tmp_path):
    """Give two workers' clones."""
    for name in ("cpu", "gpu"):
        git(tmp_path, "clone", "-q", str(project), name)
    return Workspace(tmp_path / "cpu"), Workspace(tmp_path / "gpu")


def runs(workspace):
    """Count the stages that have run in a clone."""
    log = workspace.folder / "ran.log"
    return len(log.read_text().splitlines()) if log.exists() else 0


def reproduce(workspace, stage, params="value: 1\n"):
    with workspace.at("main", params):
        status, message = workspace.dvc("repro", "--pull", stage)
        assert status == 0, message
        workspace.share(stage)


def test_what_one_has_run_the_other_takes_from_the_remote(clones):
    cpu, gpu = clones
    reproduce(cpu, "one")
    reproduce(gpu, "two")
    assert (runs(cpu), runs(gpu)) == (1, 1)
    reproduce(cpu, "two")
    assert runs(cpu) == 1
    assert (cpu.folder / "two.txt").read_text() == "value: 1\n" * 2
    assert (cpu.folder / "two.json").read_text() == '{"b": 2}\n'


def test_what_has_to_run_is_known_before_anything_runs(clones):
    cpu, gpu = clones
    with gpu.at("main", "value: 1\n"):
        nodes = read_graph(gpu.folder)
        assert restore(nodes, gpu.folder) == {"one", "two"}
    reproduce(cpu, "one")
    with gpu.at("main", "value: 1\n"):
        assert restore(nodes, gpu.folder) == {"two"}
        assert (gpu.folder / "one.txt").read_text() == "value: 1\n"
    reproduce(cpu, "two")
    for value, missing in (("1", set()), ("2", {"one", "two"}), ("1", set())):
        with gpu.at("main", f"value: {value}\n"):
            assert restore(nodes, gpu.folder) == missing
    assert (gpu.folder / "two.json").read_text() == '{"b": 2}\n'
    assert runs(gpu) == 0


def test_other_parameters_are_other_runs_and_the_old_ones_are_not_forgotten(clones):
    cpu, _ = clones
    reproduce(cpu, "one")
    reproduce(cpu, "one", "value: 2\n")
    reproduce(cpu, "one")
    assert runs(cpu) == 2
    assert (cpu.folder / "one.txt").read_text() == "value: 1\n"


def test_a_run_is_kept_as_a_branch_by_which_changes_are_found(clones, project):
    cpu, _ = clones
    reproduce(cpu, "two")
    with cpu.at("main", "value: 1\n"):
        assert cpu.changes_since("runs/last")  # there is none
        cpu.dvc("repro", "--pull")
        cpu.keep("runs/last", "Keep it")
    with cpu.at("main", "value: 1\n"):
        assert cpu.changes_since("runs/last") == []
    with cpu.at("main", "value: 2\n"):
        assert cpu.changes_since("runs/last") == ["one"]
    git(project, "merge", "-q", "runs/last")
    assert "one.txt" in (project / "dvc.lock").read_text()


def test_a_result_is_kept_as_an_experiment_where_git_knows_nobody(clones, project, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    cpu, _ = clones
    cpu.git("config", "user.useConfigOnly", "true")  # else git takes a machine's host name for an address
    reproduce(cpu, "two", "value: 3\n")
    with cpu.at("main", "value: 3\n"):
        cpu.dvc("repro", "--pull")
        cpu.keep_experiment("tried-3")
    shown = subprocess.run(
        [sys.executable, "-m", "dvc", "exp", "list", "origin", "--name-only"],
        cwd=cpu.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "tried-3" in shown.stdout


def test_a_revision_that_was_not_pushed_is_refused_in_one_line(clones):
    cpu, _ = clones
    with pytest.raises(PhotocriticError, match="has no revision 'nowhere'; push it"), cpu.at("nowhere", ""):
        pass


def test_a_worker_without_a_remote_says_so(clones, monkeypatch):
    monkeypatch.delenv(REMOTE)
    with pytest.raises(PhotocriticError, match=f"{REMOTE} is not set"), clones[0].at("main", ""):
        pass


def test_a_clones_link_to_its_environment_is_not_kept(root, tmp_path):
    shutil.copy(root / ".gitignore", tmp_path)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    git(tmp_path, "init", "-q")
    status = subprocess.run(["git", "status", "--porcelain"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert status.stdout.split() == ["??", ".gitignore"]


def test_a_run_is_kept_as_no_other_branch_than_its_own(clones, project):
    """M15: `branch: main` took away a commit of another person."""
    cpu, _ = clones
    before = git_output(project, "for-each-ref")
    with cpu.at("main", "value: 1\n"):
        for branch in (
            "main",
            "",
            "runs/",
            "runs",
            "../main",
            "runs/../main",
            "-f",
            "runs/x y",
            "runs/x.lock",
            "runs/x:main",
        ):
            with pytest.raises(PhotocriticError, match=r"cannot name what a run keeps: use runs/"):
                cpu.keep(branch, "Keep it")
    assert git_output(project, "for-each-ref") == before
    assert git_output(cpu.folder, "rev-parse", "--abbrev-ref", "HEAD") == "HEAD"


def test_what_somebody_has_pushed_meanwhile_is_not_taken_away(clones, project):
    """M15: runs were pushed by force."""
    cpu, gpu = clones
    with cpu.at("main", "value: 1\n"):
        cpu.keep("runs/last", "Keep it")
    with gpu.at("main", "value: 2\n"):
        with cpu.at("main", "value: 3\n"):
            cpu.keep("runs/last", "Keep it again")
        with pytest.raises(PhotocriticError, match="git push"):
            gpu.keep("runs/last", "Keep what was not looked at")
    assert git_output(project, "show", "runs/last:params.yaml") == "value: 3"
    with gpu.at("main", "value: 2\n"):
        gpu.keep("runs/last", "Keep it")
    assert git_output(project, "show", "runs/last:params.yaml") == "value: 2"


def test_the_password_of_a_remote_is_shown_nowhere(clones, capfd):
    """L13: it stood in the error, and in a file that everybody could read."""
    cpu, _ = clones
    cpu.use_remote("webdavs://user:pass%2Fword@dav.example.org/photos", default=True)
    kept = cpu.folder / ".dvc/config.local"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert "password = pass/word" in kept.read_text()
    lines = []
    cpu.dvc("remote", "list", on_line=lines.append)
    assert lines[0].split() == ["exchange", "webdavs://dav.example.org/photos", "(default)"]
    with pytest.raises(PhotocriticError, match="PHOTOCRITIC_REMOTE=") as refused:
        cpu.use_remote("nothing://user:secret@dav.example.org/photos")
    assert "secret" not in str(refused.value)
    git(cpu.folder, "remote", "set-url", "origin", "https://user:secret@127.0.0.1:1/photos.git")
    with pytest.raises(PhotocriticError, match="git fetch") as refused:
        cpu.fetch("")
    assert "secret" not in str(refused.value) + "".join(capfd.readouterr())


def git_output(folder, *arguments):
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()
