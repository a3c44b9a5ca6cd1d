"""The whole of the fault harness: python -m tests.faults [--kills 50] [--seed 7] [--only NAME ...].

The sample chain, made small, is disturbed in many ways; after each the next run must end with the tables and metrics of
an undisturbed one, and leave nothing behind. Prints a table.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests import workspace
from tests.faults import faults
from tests.faults.chain import Chain

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Run the faults; return 1 where a run after one of them ended otherwise than an undisturbed one."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="kills at random moments")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", nargs="*", choices=list(faults.ALL), default=list(faults.ALL))
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="photocritic-faults-") as folder:
        base = workspace.make(ROOT, Path(folder) / "base")
        chain = Chain(base, Path(folder), chosen.seed, chosen.kills)
        begun = time.monotonic()
        chain.undisturbed()
        sys.stdout.write(f"undisturbed: {time.monotonic() - begun:.0f} s\n")
        wrong = 0
        for name in chosen.only:
            begun = time.monotonic()
            times, problems = faults.ALL[name](chain)
            wrong += len(problems)
            verdict = "; ".join(problems) or "equal"
            sys.stdout.write(f"{name:<26} {times:>4} times  {time.monotonic() - begun:>6.0f} s  {verdict}\n")
            sys.stdout.flush()
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
