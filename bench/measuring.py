"""What every benchmark gives back, and how a process is measured with all that it starts."""

import argparse
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import psutil

Size = Literal["toy", "full"]

ROOT = Path(__file__).parents[1]
_PAUSE = 0.05  # seconds between two looks at the memory


class Row(NamedTuple):
    """One number of a benchmark.

    Attributes
    ----------
    what : str
        What was measured.
    value : float or str
        How much it is.
    unit : str
        Of what.
    against : str
        What it is beside: another way, measured in the same run; empty where there is none.
    """

    what: str
    value: float | str
    unit: str
    against: str = ""


@dataclass(frozen=True)
class Used:
    """What a process and all that it started have used.

    Attributes
    ----------
    seconds : float
        By the clock.
    processor : float
        Seconds of all cores together.
    memory : float
        The most resident memory at one moment, the sum over the processes, in GiB.
    output : str
        What it wrote to stdout.
    """

    seconds: float
    processor: float
    memory: float
    output: str


def measured(command: Sequence[str], folder: Path = ROOT, env: dict[str, str] | None = None) -> Used:
    """Run a command and measure it.

    Raises
    ------
    SystemExit
        The command failed.
    """
    before, began = _processor(), time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, env=env) as process:
        watch = _Watch(process.pid)
        watch.start()
        output, _ = process.communicate()
        seconds = time.perf_counter() - began
    watch.join()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return Used(seconds, _processor() - before, watch.most / 2**30, output)


class _Watch(threading.Thread):
    """Look at the memory of a process and its descendants until it ends."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._process = psutil.Process(pid)
        self.most = 0

    def run(self) -> None:
        while self._process.is_running() and self._process.status() != psutil.STATUS_ZOMBIE:
            self.most = max(self.most, sum(map(_resident, _family(self._process))))
            time.sleep(_PAUSE)


def _family(process: psutil.Process) -> list[psutil.Process]:
    try:
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _processor() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def table(rows: Sequence[Row]) -> str:
    """Write rows as a table in Markdown."""
    lines = ["| what | value | unit | against |", "|---|---:|---|---|"]
    lines += [f"| {row.what} | {_shown(row.value)} | {row.unit} | {row.against} |" for row in rows]
    return "\n".join(lines) + "\n"


def _shown(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def main(run: Callable[[Size], list[Row]], doc: str | None) -> None:
    """Run one benchmark from the command line and print its rows."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--toy", action="store_true", help="on as little as shows that it works")
    sys.stdout.write(table(run("toy" if parser.parse_args().toy else "full")))
