"""What the Prefect flow costs over plain `dvc repro` where there is nothing to do, without a server.

Usage: python -m bench.flow [--toy]

It runs in a project whose pipeline is up to date (`make run`), both in turn, and gives the medians, their difference
and their ratio. At toy size `dvc repro` alone runs, in a project of one stage.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measuring import ROOT, Row, Size, main
from photocritic.core.environment import environment

ROUNDS = 3

COMMANDS = {
    "dvc repro": [sys.executable, "-m", "dvc", "repro"],
    "make flow": [sys.executable, "-m", "flows"],
}


def seconds(command: list[str], folder: Path) -> float | None:
    """Return a command's wall-clock time in a folder; None where it had something to do."""
    own = {key: value for key, value in environment().items() if key != "PREFECT_API_URL"}
    own["PREFECT_HOME"] = str(folder / ".prefect")
    begin = time.perf_counter()
    done = subprocess.run(command, env=own, cwd=folder, capture_output=True, text=True, check=False)
    took = time.perf_counter() - begin
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}\n{done.stderr}")
    return None if "Running stage" in done.stdout + done.stderr else took


def run(size: Size) -> list[Row]:
    """Measure both in turn."""
    if size == "toy":
        with TemporaryDirectory() as folder:
            return _toy(Path(folder))
    took: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, command in COMMANDS.items():
            found = seconds(command, ROOT)
            if found is None:
                return [Row("flow", "not measured", "", "a stage had to run: run `make run` first")]
            took[name].append(found)
    plain, flow = (statistics.median(took[name]) for name in COMMANDS)
    against = f"{flow - plain:.1f} s more than dvc repro, {flow / plain:.1f} times"
    return [Row("dvc repro, nothing to do", plain, "s"), Row("make flow, nothing to do", flow, "s", against)]


def _toy(folder: Path) -> list[Row]:
    (folder / "dvc.yaml").write_text("stages: {one: {cmd: echo 1 > out, outs: [out]}}\n")
    subprocess.run([sys.executable, "-m", "dvc", "init", "--no-scm", "-q"], cwd=folder, env=environment(), check=True)
    first, second = (seconds(COMMANDS["dvc repro"], folder) for _ in range(2))
    if first is not None or second is None:
        raise SystemExit("dvc repro must run a stage once, and then have nothing to do")
    return [Row("dvc repro, nothing to do", second, "s")]


if __name__ == "__main__":
    main(run, __doc__)
