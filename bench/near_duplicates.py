"""Photographs that look alike among many: pairs of near perceptual hashes, against a comparison of all with all.

Usage: python -m bench.near_duplicates [--toy] [--photographs N]

Hashes are made: half of the 64 bits of each are set, and one in a thousand is a copy of another that differs in few.
"""

import argparse
import sys
import time

import numpy as np

from bench.measuring import Row, Size, table
from photocritic.validation.near_duplicates import NEAR, Hashes, HashIndex, near_pairs

PHOTOGRAPHS, TOY = 1_000_000, 2_000
COPIES = 1000  # one in so many
LOOKED_UP = 50  # hashes that are compared with all others, for the time that it takes
_BLOCK = 100_000  # hashes that are made together


def made(count: int, seed: int = 7) -> Hashes:
    """Make different hashes, and copies of some, in no order."""
    rng = np.random.default_rng(seed)
    drawn = []
    for start in range(0, count, _BLOCK):
        bits = rng.permuted(np.tile(np.arange(64, dtype=np.uint8) % 2, (min(_BLOCK, count - start), 1)), axis=1)
        drawn.append(np.packbits(bits, axis=1).view(np.uint64)[:, 0])
    hashes = np.concatenate(drawn)
    flips = np.uint64(1) << rng.integers(0, 64, (count // COPIES, NEAR)).astype(np.uint64)
    copies = hashes[: len(flips)] ^ np.bitwise_xor.reduce(flips, axis=1)
    return rng.permutation(np.unique(np.concatenate([hashes, copies])))


def run(size: Size) -> list[Row]:
    """Match as many hashes as a large corpus has photographs."""
    return compare(TOY if size == "toy" else PHOTOGRAPHS)


def compare(count: int) -> list[Row]:
    """Measure the search for all pairs, and one by one; processor seconds."""
    hashes = made(count)
    start = time.process_time()
    pairs = near_pairs(hashes)
    together = time.process_time() - start
    start = time.process_time()
    for one in hashes[:LOOKED_UP]:
        np.count_nonzero(np.bitwise_count(hashes ^ one) <= NEAR)
    all_pairs = (time.process_time() - start) * len(hashes) / LOOKED_UP / 2
    index, start = HashIndex(), time.process_time()
    found = 0
    for value in hashes.view(np.int64).tolist():
        found += len(index.near(value))
        index.add(value)
    one_by_one = time.process_time() - start
    what = f"photographs that look alike among {len(hashes):,}"
    beside = f"times all with all, which takes {all_pairs:,.0f} s"
    return [
        Row(what, together, "s", f"{all_pairs / together:.1f} {beside}; {len(pairs):,} pairs"),
        Row(f"{what}, as they come", one_by_one, "s", f"{all_pairs / one_by_one:.1f} {beside}; {found:,} pairs"),
    ]


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--toy", action="store_true", help="on as little as shows that it works")
    parser.add_argument("--photographs", type=int, default=PHOTOGRAPHS)
    given = parser.parse_args()
    sys.stdout.write(table(compare(TOY if given.toy else given.photographs)))


if __name__ == "__main__":
    main()
