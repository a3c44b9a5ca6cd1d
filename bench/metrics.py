"""Caption metrics against pycocoevalcap: one caption of each image against its others, timed in one run.

Usage: python bench/metrics.py [captions.csv]; the CSV has the columns image and caption. Without one, captions are
drawn at random.
"""

import csv
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.rouge.rouge import Rouge

from photocritic.metrics import Captions, References, score

NAMES = ["bleu", "rouge_l", "cider_d"]


def read(path: Path) -> list[list[list[str]]]:
    """Group the CSV's captions by image, as lower-case words."""
    images: dict[str, list[list[str]]] = {}
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            images.setdefault(row["image"], []).append(row["caption"].lower().split())
    return [captions for captions in images.values() if len(captions) > 1]


def invent(images: int = 4000) -> list[list[list[str]]]:
    """Draw five captions an image from a skewed vocabulary."""
    rng = random.Random(0)
    word = lambda: f"w{int(rng.paretovariate(0.8)) % 8000}"  # noqa: E731
    return [[[word() for _ in range(rng.randint(6, 16))] for _ in range(5)] for _ in range(images)]


def reference(candidates: list[list[str]], references: list[list[list[str]]]) -> dict[str, float]:
    """Score with pycocoevalcap."""
    results = {i: [" ".join(words)] for i, words in enumerate(candidates)}
    truths = {i: [" ".join(words) for words in some] for i, some in enumerate(references)}
    bleu = Bleu(4).compute_score(truths, results, verbose=0)[0]
    values = dict(zip([f"bleu_{order}" for order in range(1, 5)], bleu, strict=True))
    values["rouge_l"] = float(Rouge().compute_score(truths, results)[0])
    values["cider_d"] = float(Cider().compute_score(truths, results)[0])
    return values


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Run something and give its result and its processor seconds."""
    start = time.process_time()
    return work(), time.process_time() - start


def main() -> None:
    """Print both times, their ratio and the largest difference."""
    images = read(Path(sys.argv[1])) if len(sys.argv) > 1 else invent()
    candidates, references = [captions[0] for captions in images], [captions[1:] for captions in images]
    score(Captions(candidates[:10]), References(references[:10]), NAMES)  # imports are not what is measured
    theirs, slow = timed(lambda: reference(candidates, references))
    ours, fast = timed(lambda: score(Captions(candidates), References(references), NAMES).corpus)
    difference = max(abs(theirs[key] - ours[key]) for key in theirs)
    sys.stdout.write(
        f"{len(images)} images: pycocoevalcap {slow:.2f} s, photocritic {fast:.2f} s, "
        f"ratio {slow / fast:.1f} (processor time), largest difference {difference:.1e}\n"
    )


if __name__ == "__main__":
    main()
