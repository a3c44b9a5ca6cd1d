"""A small chain that is run, disturbed, run again, and compared with an undisturbed one."""

import hashlib
import itertools
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from photocritic.core.environment import environment
from photocritic.core.lock import alone
from tests.workspace import Workspace

# Taken off what tests/workspace.py leaves.
TINY = {
    "ingest": {"sample_images": 45},
    "filter": {"unit": "sentence"},
    "cnn_pretrain": {"features": ["weak"], "epochs": 1},
    "lstm_train": {"epochs": 1},
    "augment": {"features": "weak"},
}
RUN = ("-m", "photocritic.cli", "run")
HOOKS = Path(__file__).parent / "hooks"


class Chain:
    """The chain in a workspace, and copies of it before anything has run.

    Parameters
    ----------
    base : Workspace
        Where nothing has run.
    folder : Path
        Where copies stand.
    seed, kills : int
        Of the random moments, and how many of them.
    """

    def __init__(self, base: Workspace, folder: Path, seed: int, kills: int) -> None:
        self.base, self.seed, self.kills = base, seed, kills
        self._folder, self._numbers = folder, itertools.count(1)
        base.params(TINY)
        self._one_variant()
        self.wanted: dict[str, str] = {}
        self.seconds = 0.0
        self.finished: Workspace | None = None

    def _one_variant(self) -> None:
        from ruamel.yaml import YAML

        yaml, path = YAML(), self.base.folder / "params.yaml"
        document = yaml.load(path)
        for name in [name for name, one in document["variants"].items() if name != "cws"]:
            del document["variants"][name]
        document["retrievers"].clear()
        yaml.dump(document, path)

    def undisturbed(self) -> None:
        """Run the chain once to its end, and note what it makes."""
        self.finished = self.copy(self.base)
        self.finished.run(*RUN)
        self.wanted = results(self.finished.folder)

    def copy(self, of: Workspace | None = None) -> Workspace:
        """Copy the workspace in which nothing has run, or another one with its tracking store."""
        source = of or self.base
        folder = self._folder / str(next(self._numbers))
        shutil.copytree(source.folder, folder, symlinks=True)
        return Workspace(folder)

    def start(
        self, place: Workspace, extra: Mapping[str, str] | None = None, **options: Any
    ) -> "subprocess.Popen[str]":
        """Start a run in a process group of its own."""
        return subprocess.Popen(
            [str(place.python), *RUN],
            cwd=place.folder,
            env=environment() | dict(extra or {}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **options,
        )

    def problems(self, place: Workspace, what: str) -> list[str]:
        """Run a disturbed workspace to its end and tell how it differs from an undisturbed one."""
        with alone(place.folder, wait=True):  # a process that was starting when the others were killed may still end
            pass
        done = place.run(*RUN, check=False)
        if done.returncode:
            sys.stderr.write(f"{what}: the next run failed: {done.stderr}\n")
            return [f"{what}: the next run failed: {done.stderr.strip()[-300:]}"]
        found = self.differences(place) + [f"left {name}" for name in litter(place.folder)]
        sys.stderr.write(f"{what}: {'; '.join(found) or 'equal'}\n")
        shutil.rmtree(place.folder)
        return [f"{what}: {one}" for one in found]

    def differences(self, place: Workspace) -> list[str]:
        """Return how the tables and metrics in a workspace differ from those of an undisturbed one."""
        found = results(place.folder)
        return [
            f"{name} differs"
            for name in sorted(found.keys() | self.wanted.keys())
            if found.get(name) != self.wanted.get(name)
        ]


def kill_after(process: "subprocess.Popen[str]", seconds: float, sort: int = signal.SIGKILL) -> bool:
    """Signal a run and all that it has started after some seconds; return False where it has ended before."""
    import psutil

    with suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=seconds)
        return False
    below = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, sort)
    for child in below:
        with suppress(psutil.NoSuchProcess):
            child.send_signal(sort)
    process.communicate()
    return True


def results(folder: Path) -> dict[str, str]:
    """Give the hash of each table and metrics file."""
    files = [
        *folder.glob("data/*/*.parquet"),
        *folder.glob("data/*/*/*.parquet"),
        *folder.glob("reports/metrics/**/*.json"),
    ]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)}


def litter(folder: Path) -> list[str]:
    """Name what a finished run should not have left."""
    places = [folder / "data", folder / "reports"]
    found = [path for place in places for path in place.rglob(".*") if path.name not in {".generations", ".gitignore"}]
    names = [str(path.relative_to(folder)) for path in found]
    with closing(sqlite3.connect(folder / "mlruns" / "mlflow.db")) as database:
        running = database.execute("SELECT count(*) FROM runs WHERE status = 'RUNNING'").fetchone()[0]
    return names + ([f"{running} runs RUNNING"] if running else [])
