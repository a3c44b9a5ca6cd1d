"""Run all benchmarks, print their numbers in one table, and keep it in docs/benchmarks.md.

Usage: python -m bench [NAME ...] [--toy]

A toy run, or one of some benchmarks alone, is printed and not kept.
"""

import argparse
import os
import pkgutil
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import bench
from bench.measuring import ROOT, Row, Size, table
from photocritic.core.files import atomic_file

PAGE = ROOT / "docs" / "benchmarks.md"

_HEAD = """# Benchmarks

The last results of `make bench`. Both numbers of a pair come from the same run. `python -m bench.NAME --help` explains
one of them.

"""


def names() -> list[str]:
    """Name every benchmark: each module of this folder that has a function `run`."""
    modules = (module.name for module in pkgutil.iter_modules(bench.__path__) if not module.name.startswith("_"))
    return [name for name in modules if hasattr(import_module(f"bench.{name}"), "run")]


def run(wanted: list[str], size: Size) -> list[Row]:
    """Run benchmarks one after another."""
    rows: list[Row] = []
    for name in wanted:
        sys.stderr.write(f"bench.{name}\n")
        rows += import_module(f"bench.{name}").run(size)
    return rows


def page(rows: list[Row]) -> str:
    """Write the page, with what is needed to read the numbers: the processor, its cores, the day and the commit."""
    found = (line.partition(":")[2].strip() for line in _processor().splitlines() if line.startswith("model name"))
    model = next(found, platform.machine())
    git = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    commit = git.stdout.strip() or "not known"
    where = f"{len(os.sched_getaffinity(0))} cores of {model}, Python {platform.python_version()}"
    return f"{_HEAD}{where}, {datetime.now(UTC):%Y-%m-%d}, commit {commit}.\n\n{table(rows)}"


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(names())}; all by default")
    parser.add_argument("--toy", action="store_true", help="on as little as shows that they work")
    given = parser.parse_args()
    rows = run(given.names or names(), "toy" if given.toy else "full")
    sys.stdout.write(table(rows))
    if not given.toy and not given.names:
        with atomic_file(PAGE) as temporary:
            temporary.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
