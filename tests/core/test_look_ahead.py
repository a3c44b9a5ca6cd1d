"""Stages run before their turn: two at once where neither needs the other, each once, whatever becomes of them."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import networkx
import psutil
import pytest
from ruamel.yaml import YAML

from photocritic.core import reproduction, snapshot
from photocritic.core.environment import REPRODUCTION, environment
from photocritic.core.lock import alone
from photocritic.core.look_ahead import LookAhead

# Each of the two in the middle ends once the other has begun, and notes that it ran.
GRAPH = """
stages:
  first:
    cmd: cp params.yaml first
    deps: [params.yaml]
    outs: [first]
  middle:
    foreach: [a, b]
    do:
      cmd: stages/run middle ${item}
      deps: [first, stages/middle.py]
      outs: ["middle-${item}"]
  last:
    cmd: cat middle-a middle-b > last
    deps: [middle-a, middle-b]
    outs: [last]
"""
RUN = """#!/bin/sh
name=$1
shift
exec "$PYTHON" "stages/$name.py" "$@"
"""
MEETING = """
import sys, time
from pathlib import Path
item = sys.argv[1]
other = {"a": "b", "b": "a"}[item]
with Path("ran").open("a") as notes:
    notes.write(item + "\\n")
Path(f"begun-{item}").touch()
while not Path(f"begun-{other}").exists():
    time.sleep(0.01)
Path(f"middle-{item}").write_text(item)
"""
FAILING = """
import sys
import threading
from pathlib import Path
item = sys.argv[1]
Path(f"middle-{item}").write_text(item)
with Path("ran").open("a") as notes:
    notes.write(item + "\\n")
sys.exit(item == "b")
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A DVC project whose two stages in the middle can run at once."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHON", sys.executable)
    Path("stages").mkdir()
    Path("stages/run").write_text(RUN)
    Path("stages/run").chmod(0o755)
    Path("stages/server.py").write_text("")  # ends at once: each stage is started by itself
    Path("params.yaml").write_text("topics: 3\n")
    Path("dvc.yaml").write_text(GRAPH)
    subprocess.run([sys.executable, "-m", "dvc", "init", "--quiet", "--no-scm"], env=environment(), check=True)
    return tmp_path


def reproduce(jobs: int) -> "subprocess.CompletedProcess[str]":
    with alone(), snapshot.taken():
        return subprocess.run(
            [sys.executable, *REPRODUCTION, "--jobs", str(jobs), "repro"],
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )


def test_stages_that_need_nothing_of_each_other_run_at_once_and_each_once(project: Path) -> None:
    Path("stages/middle.py").write_text(MEETING)
    done = reproduce(2)
    assert done.returncode == 0, done.stderr
    assert sorted(Path("ran").read_text().split()) == ["a", "b"]
    assert Path("last").read_text() == "ab"
    lock = YAML(typ="safe").load(Path("dvc.lock"))
    assert set(lock["stages"]) == {"first", "middle@a", "middle@b", "last"}
    again = reproduce(2)
    assert "Running stage" not in again.stdout + again.stderr
    assert YAML(typ="safe").load(Path("dvc.lock")) == lock
    assert sorted(Path("ran").read_text().split()) == ["a", "b"]


def test_a_stage_that_failed_before_its_turn_fails_in_its_turn(project: Path) -> None:
    Path("stages/middle.py").write_text(FAILING)
    done = reproduce(2)
    assert done.returncode != 0
    assert "middle@b" in done.stderr
    assert not Path("last").exists()
    assert set(Path("ran").read_text().split()) == {"a", "b"}
    Path("stages/middle.py").write_text(FAILING.replace('sys.exit(item == "b")', ""))
    assert reproduce(2).returncode == 0
    assert Path("last").read_text() == "ab"


def test_nothing_runs_on_after_a_stage_has_failed(project: Path) -> None:
    waits = MEETING.replace('Path(f"begun-{item}")', "sys.exit(1) if item == 'a' else Path(f\"begun-{item}\")")
    Path("stages/middle.py").write_text(waits)  # a fails, and b would wait for it without end
    assert reproduce(2).returncode != 0
    left = [one for one in psutil.process_iter(["pid", "cwd"]) if one.info["cwd"] == str(project)]
    assert [one.pid for one in left] == [os.getpid()]


class Started:
    """Starts processes that run until they are ended, and knows in which order.

    Parameters
    ----------
    ends : dict of str to str
        The stage that ends when another begins.
    """

    def __init__(self, **ends: str) -> None:
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.last = threading.Event()
        self._ends = ends

    def __call__(self, stage: str) -> "subprocess.Popen[bytes]":
        self.running[stage] = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
        if stage in self._ends:
            self.end(self._ends[stage])
        if stage == "last":
            self.last.set()
        return self.running[stage]

    def end(self, stage: str) -> None:
        process = self.running[stage]
        assert process.stdin is not None
        process.stdin.close()


def test_while_dvc_waits_another_stage_has_its_place() -> None:
    start = Started(third="second", last="third")
    order = ["first", "second", "third", "last"]
    with LookAhead(order, {"first": set(), "second": set(), "third": set(), "last": {"second"}}, 2, start) as ahead:
        assert not ahead.come_to("first")
        ahead.work()
        assert list(start.running) == ["second"]
        assert ahead.come_to("second")
        ahead.wait("second")  # without end, were the third not started
        assert list(start.running) == ["second", "third"]
        assert ahead.come_to("third")
        ahead.wait("third")
        assert list(start.running) == ["second", "third", "last"]
    assert all(process.poll() is not None for process in start.running.values())


def test_no_stage_begins_that_reads_what_dvc_has_yet_to_record() -> None:
    start = Started()
    order = ["first", "second", "follows second", "last"]
    needs: dict[str, set[str]] = {"first": set(), "second": set(), "follows second": {"second"}, "last": set()}
    with LookAhead(order, needs, 2, start) as ahead:
        ahead.come_to("first")
        ahead.work()
        start.end("second")
        start.last.wait()
        assert list(start.running) == ["second", "last"]


def test_stages_that_need_little_come_early_and_those_that_nothing_waits_for_last():
    needs = {"a": [], "judge": ["a"], "seen": ["a"], "said": ["seen"], "grown": ["seen"], "report": ["said", "judge"]}
    graph = networkx.DiGraph([(stage, need) for stage, found in needs.items() for need in found])
    order = reproduction._in_order(["a", "seen", "grown", "said", "judge", "report"], graph)
    assert order == ["a", "seen", "judge", "said", "grown", "report"]
