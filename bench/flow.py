"""What the Prefect flow costs over plain `dvc repro` where there is nothing to do, without a server.

Usage: .venv/bin/python bench/flow.py [--rounds 3]

It runs in a project whose pipeline is up to date (`make run`), both in turn, and prints the medians, their difference
and their ratio.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from photocritic.pipeline import environment

COMMANDS = {
    "dvc repro": [sys.executable, "-m", "dvc", "repro"],
    "make flow": [sys.executable, "-m", "flows"],
}


def seconds(command: list[str]) -> float:
    """Give a command's wall-clock time; it must have nothing to do."""
    own = {key: value for key, value in environment().items() if key != "PREFECT_API_URL"}
    own["PREFECT_HOME"] = str(Path(".prefect").absolute())
    begin = time.perf_counter()
    done = subprocess.run(command, env=own, capture_output=True, text=True, check=False)
    took = time.perf_counter() - begin
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}\n{done.stderr}")
    if "Running stage" in done.stdout + done.stderr:
        raise SystemExit("something had to run, so this is no measure: run `make run` first")
    return took


def main() -> None:
    """Measure both in turn, and print what came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    took: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(rounds):
        for name, command in COMMANDS.items():
            took[name].append(seconds(command))
    plain, flow = (statistics.median(took[name]) for name in COMMANDS)
    print(f"{rounds} rounds, {os.cpu_count()} cores, nothing to do")
    for name, all_ in took.items():
        print(f"{name:10} {statistics.median(all_):6.1f} s  (from {min(all_):.1f} to {max(all_):.1f})")
    print(f"overhead   {flow - plain:6.1f} s, {flow / plain:.1f} times")


if __name__ == "__main__":
    main()
