"""DVC, reading the parameters that a run began with: python -m photocritic.core.reproduction [--jobs N] repro [...].

DVC reads params.yaml when it starts, before each stage, and again after it, when it writes dvc.lock. Where somebody
edits the file meanwhile, dvc.lock would record values that the stage has not used. DVC documents no way to name another
file, so this replaces how it opens one. DVC starts a process for each stage, whose imports take longer than many stages
do; this replaces that by copies of one process. It runs one stage after another; with several jobs, others run before
their turn. It is the counterpart in the package of flows/dvc_api.py, which the command may not import, and the reason
besides for which pyproject.toml caps DVC's version.
"""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from photocritic.core import snapshot
from photocritic.core.look_ahead import LookAhead
from photocritic.core.stage_server import StageServer, run_by_server


def main() -> int:
    """Run DVC's command line on the snapshot of the parameters; return its exit status."""
    from dvc.cli import main as dvc

    parser = argparse.ArgumentParser(prog="python -m photocritic.core.reproduction", add_help=False)
    parser.add_argument("--jobs", type=int, default=1, help="stages at once")
    given, command = parser.parse_known_args()
    _read_the_snapshot()
    if "--single-item" in command:
        _run_stages_by(run_by_server)
        return int(dvc(command))
    with StageServer() as server:
        _run_stages_by(server.run)
        if given.jobs > 1:
            _look_ahead(given.jobs)
            command.insert(0, "--wait-for-lock")
        return int(dvc(command))


def _read_the_snapshot() -> None:
    from dvc.fs import LocalFileSystem

    stored, params = snapshot.path().resolve(), snapshot.PARAMS.resolve()
    plain = LocalFileSystem.open

    def read(self: Any, path: Any, mode: str = "r", **options: Any) -> Any:
        wanted = isinstance(path, str | os.PathLike) and "r" in mode and Path(path).name == params.name
        return plain(self, stored if wanted and Path(path).resolve() == params else path, mode, **options)

    LocalFileSystem.open = read


def _run_stages_by(server: Callable[[str, Mapping[str, str]], int | None]) -> None:
    from dvc.stage import run
    from dvc.stage.exceptions import StageCmdFailedError

    plain = run._run

    def start(executable: str | None, command: str, **options: Any) -> None:
        if Path(options["cwd"]) != Path.cwd() or threading.current_thread() is not threading.main_thread():
            plain(executable, command, **options)
            return
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as DVC does: Ctrl-C ends the stage, then DVC
        try:
            status = server(command, options["env"])
        finally:
            signal.signal(signal.SIGINT, before)
        if status is None:
            plain(executable, command, **options)
        elif status:
            raise StageCmdFailedError(command, status)

    run._run = start


def _in_order(stages: list[Any], graph: Any) -> list[Any]:
    """Sort stages that DVC has sorted: first what needs least, so that much can run before its turn, last what ends."""
    depth: dict[Any, int] = {}
    for stage in stages:
        depth[stage] = 1 + max((depth.get(need, 0) for need in graph.successors(stage)), default=0)
    needed = {need for stage in stages for need in graph.successors(stage)}
    return sorted(stages, key=lambda stage: (stage not in needed, depth[stage]))


def _look_ahead(jobs: int) -> None:
    from dvc.repo import reproduce
    from dvc.stage import run
    from dvc.stage.decorators import unlocked_repo

    plain, plain_command = reproduce._reproduce, run.cmd_run

    def reproduce_all(stages: list[Any], graph: Any = None, **options: Any) -> Any:
        stages = _in_order(stages, graph)
        order = [stage.addressing for stage in stages]
        needs = {stage.addressing: {need.addressing for need in graph.successors(stage)} for stage in stages}

        def come_to(stage: Any, **given: Any) -> Any:
            if ahead.come_to(stage.addressing):
                unlocked_repo(lambda _: ahead.wait(stage.addressing))(stage)
            return reproduce._reproduce_stage(stage, **given)

        def work(stage: Any, *given: Any, **named: Any) -> None:
            ahead.work()
            plain_command(stage, *given, **named)

        run.cmd_run = work
        with LookAhead(order, needs, jobs) as ahead:
            return plain(stages, graph=graph, **options | {"repro_fn": come_to})

    reproduce._reproduce = reproduce_all


if __name__ == "__main__":
    sys.exit(main())
