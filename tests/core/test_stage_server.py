"""Stages as copies of one process: what each is told, what it answers, and the code that it runs."""

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from photocritic.core.environment import environment
from photocritic.core.stage_server import StageServer, run_by_server
from tests import file_watch

ROOT = Path(__file__).resolve().parents[2]
STAGE = """
import os, sys
from pathlib import Path
from photocritic import value
told = (os.getppid(), os.environ["DVC_STAGE"], sys.argv[1:], __name__, value, sys.stdin.read())
Path("told").write_text(" ".join(map(str, told)))
"""

MEETING = """
import time
from pathlib import Path
Path("begun-{name}").touch()
while not Path("begun-{other}").exists():
    time.sleep(0.01)
"""
WAITING = """
import os, time
from pathlib import Path
Path("writing").write_text(str(os.getpid()))
Path("writing").rename("begun")
time.sleep(600)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of stages that tell how they were started."""
    monkeypatch.chdir(tmp_path)
    for folder in ("stages", "src/photocritic"):
        Path(folder).mkdir(parents=True)
    for name in ("run", "start.py", "server.py", "__init__.py"):
        shutil.copy(ROOT / "stages" / name, "stages")
    Path(".venv").symlink_to(sys.prefix)
    Path("stages/telling.py").write_text(STAGE)
    Path("stages/refusing.py").write_text("import sys\nsys.exit(65)\n")
    Path("stages/killed.py").write_text("import os\nos.kill(os.getpid(), 9)\n")
    Path("src/photocritic/__init__.py").write_text("value = 1\n")
    shutil.copytree(ROOT / "src" / "photocritic" / "core", "src/photocritic/core")
    server = Path("stages/server.py").read_text()
    Path("stages/server.py").write_text(re.sub(r"(?s)SHARED = \(.*?\n\)", 'SHARED = ("shared",)', server))
    Path("src/shared.py").write_text("")
    return tmp_path


def test_stages_are_copies_of_one_process_and_run_the_code_of_their_time(project: Path) -> None:
    def run(command: str, stage: str) -> int | None:
        return server.run(command, environment() | {"DVC_STAGE": stage})

    with StageServer() as server:
        assert run("stages/run telling", "telling@this") == 0
        parent, *first = Path("told").read_text().split()
        Path("src/photocritic/__init__.py").write_text("value = 20\n")
        assert run("stages/run telling of that", "telling@that") == 0
        other, *second = Path("told").read_text().split()
        assert parent == other
        assert first == ["telling@this", "['this']", "__main__", "1"]
        assert second == ["telling@that", "['of',", "'that']", "__main__", "20"]
        assert run("stages/run refusing", "refusing") == 65
        assert run("stages/run killed", "killed") == -signal.SIGKILL
        assert run("stages/run telling; touch more", "telling") is None
        assert run("python -c pass", "other") is None


def test_nothing_is_run_where_the_process_does_not_start(project: Path) -> None:
    Path("src/shared.py").write_text("raise MemoryError\n")
    with StageServer() as server:
        for _ in range(2):
            assert server.run("stages/run telling", environment() | {"DVC_STAGE": "telling"}) is None
    assert not Path("told").exists()


def begun_stage(asked: "subprocess.Popen[bytes]") -> psutil.Process:
    """The stage that another process has asked for, once it has begun."""
    file_watch.until(Path("begun").exists, Path(), asked.pid)
    number = int(Path("begun").read_text())
    Path("begun").unlink()
    return psutil.Process(number)


def test_several_stages_run_at_once_and_end_with_whoever_waits_for_them(project: Path) -> None:
    asking = "import os, sys\nfrom photocritic.core.stage_server import run_by_server\n"
    asking += "sys.exit(run_by_server('stages/run ' + sys.argv[1], os.environ | {'DVC_STAGE': sys.argv[1]}))"

    def ask(stage: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([sys.executable, "-c", asking, stage], env=environment() | {"PYTHONPATH": "src"})

    for name, other in (("left", "right"), ("right", "left")):
        Path(f"stages/{name}.py").write_text(MEETING.format(name=name, other=other))
    Path("stages/waiting.py").write_text(WAITING)
    with StageServer() as server:
        assert server.run("stages/run telling", environment() | {"DVC_STAGE": "telling"}) == 0
        assert [one.wait(60) for one in [ask("left"), ask("right"), ask("refusing")]] == [0, 0, 65]
        asked = ask("waiting")
        stage = begun_stage(asked)
        asked.kill()
        gone, _ = psutil.wait_procs([stage], 60)
        assert gone == [stage]
        asked = ask("waiting")
        stage = begun_stage(asked)
    gone, _ = psutil.wait_procs([stage], 60)
    assert gone == [stage]
    assert asked.wait(60) == 1


def test_without_a_server_nothing_is_run(project: Path) -> None:
    assert run_by_server("stages/run telling", environment() | {"DVC_STAGE": "telling"}) is None
    with StageServer():  # which starts with its first command
        assert run_by_server("stages/run telling", environment() | {"DVC_STAGE": "telling"}) is None
